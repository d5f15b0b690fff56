//! Checks that a shape alone cannot make: check digits, ranges, dates, address encodings.
//!
//! A detector names one of them in its `validator` field. A check gets the value as it stands in
//! the text and takes the separators out itself, so that `80 11 08 51718` and `80110851718` are one
//! number to it.
//!
//! # Promise
//! Each check is total: any bytes in, a verdict out, in time linear in the length, and mostly in
//! constant time, for a value longer than the scheme allows is refused at once. None allocates.
//!
//! # Not here
//! Where a value starts and ends, and whether a cue stands before it (`detect`). How often a random
//! number passes by chance is the business of the detector's tier: a scheme that takes one number
//! in ten needs a cue, whatever this module says.

mod americas;
mod asian;
mod base58;
mod bech32;
mod british;
mod calendar;
mod card;
mod device;
mod eastern;
mod email;
mod extract;
mod geo;
mod german;
mod iban;
mod keccak;
mod latin;
mod mrz;
mod network;
mod nordic;
mod phone;
mod southern;
mod sums;
#[cfg(test)]
mod tests;
mod us;
mod words;

/// A check of one value as it stands in the text, separators included.
pub type Validator = fn(&[u8]) -> bool;

/// The checks by name, in alphabetical order.
pub const VALIDATORS: &[(&str, Validator)] = &[
    ("account", words::account),
    ("account-name", words::account_name),
    ("android-id", device::android_id),
    ("ar-cuit", americas::ar_cuit),
    ("at-svnr", german::at_svnr),
    ("au-abn", southern::au_abn),
    ("au-acn", southern::au_acn),
    ("au-medicare", southern::au_medicare),
    ("au-tfn", southern::au_tfn),
    ("be-nn", german::be_nn),
    ("bech32", bech32::bech32),
    ("bg-egn", eastern::bg_egn),
    ("br-cnpj", americas::br_cnpj),
    ("br-cpf", americas::br_cpf),
    ("btc-base58", base58::btc_base58),
    ("btc-wif", base58::btc_wif),
    ("ca-sin", americas::ca_sin),
    ("card", card::card),
    ("ch-ahv", german::ch_ahv),
    ("cl-rut", americas::cl_rut),
    ("cn-id", asian::cn_id),
    ("cz-sk-rc", eastern::cz_sk_rc),
    ("date-of-birth", calendar::birth_date),
    ("de-id-card", german::de_id_card),
    ("de-kvnr", german::de_kvnr),
    ("de-svnr", german::de_svnr),
    ("de-tax-id", german::de_tax_id),
    ("dk-cpr", nordic::dk_cpr),
    ("dk-cpr-date", nordic::dk_cpr_date),
    ("document", words::document),
    ("ee-lt-code", nordic::ee_lt_code),
    ("email", email::email),
    ("es-dni", latin::es_dni),
    ("es-nie", latin::es_nie),
    ("es-nuss", latin::es_nuss),
    ("eth", keccak::eth),
    ("eth-any", keccak::eth_any),
    ("fi-hetu", nordic::fi_hetu),
    ("fr-nif", latin::fr_nif),
    ("fr-nir", latin::fr_nir),
    ("free-text", words::free_text),
    ("geo-pair", geo::geo_pair),
    ("gr-afm", eastern::gr_afm),
    ("gr-amka", eastern::gr_amka),
    ("hr-oib", eastern::hr_oib),
    ("hu-tin", eastern::hu_tin),
    ("iban", iban::iban),
    ("iccid", device::iccid),
    ("ie-pps", british::ie_pps),
    ("il-id", asian::il_id),
    ("imei", device::imei),
    ("imsi", device::imsi),
    ("in-aadhaar", asian::in_aadhaar),
    ("in-gstin", asian::in_gstin),
    ("in-pan", asian::in_pan),
    ("ipv4", network::ipv4),
    ("ipv6", network::ipv6),
    ("is-kt", nordic::is_kt),
    ("it-cf", latin::it_cf),
    ("jmbg", eastern::jmbg),
    ("jp-my-number", asian::jp_my_number),
    ("kr-rrn", asian::kr_rrn),
    ("kr-rrn-date", asian::kr_rrn_date),
    ("latitude", geo::latitude),
    ("longitude", geo::longitude),
    ("lu-nin", german::lu_nin),
    ("luhn", card::luhn_only),
    ("lv-code", nordic::lv_code),
    ("mac", network::mac),
    ("monero", base58::monero),
    ("mrz", mrz::mrz),
    ("mx-curp", americas::mx_curp),
    ("nl-bsn", german::nl_bsn),
    ("no-fnr", nordic::no_fnr),
    ("person-name", words::person_name),
    ("phone", phone::phone),
    ("phone-e164", phone::phone_e164),
    ("phone-nanp", phone::phone_nanp),
    ("phone-national", phone::phone_national),
    ("pl-nip", eastern::pl_nip),
    ("pl-pesel", eastern::pl_pesel),
    ("pl-regon", eastern::pl_regon),
    ("postcode", words::postcode),
    ("pt-nif", latin::pt_nif),
    ("ro-cnp", eastern::ro_cnp),
    ("ru-inn", eastern::ru_inn),
    ("ru-snils", eastern::ru_snils),
    ("se-pnr", nordic::se_pnr),
    ("sg-nric", asian::sg_nric),
    ("si-tin", eastern::si_tin),
    ("th-id", asian::th_id),
    ("tr-tckn", eastern::tr_tckn),
    ("tw-id", asian::tw_id),
    ("ua-rntrc", eastern::ua_rntrc),
    ("uk-nhs", british::uk_nhs),
    ("uk-nino", british::uk_nino),
    ("uk-utr", british::uk_utr),
    ("us-aba", us::aba),
    ("us-dea", us::dea),
    ("us-itin", us::itin),
    ("us-mbi", us::mbi),
    ("us-npi", us::npi),
    ("us-ssn", us::ssn),
    ("uuid", device::uuid),
    ("vin", device::vin),
    ("vin-shape", device::vin_shape),
    ("za-id", southern::za_id),
];

/// The check of that name.
pub fn find(name: &str) -> Option<Validator> {
    let row = VALIDATORS.binary_search_by_key(&name, |(known, _)| known).ok()?;
    VALIDATORS.get(row).map(|(_, check)| *check)
}
