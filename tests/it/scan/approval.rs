//! From a request to the trail, by two people.
