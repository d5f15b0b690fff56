//! The gates that a detector file can name, because code stands behind them.

/// A structural gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Gate {
    Authorization,
    AzureKey,
    Base58,
    Base64KeyPhase,
    Braintree,
    Card,
    CliFlag,
    Cookie,
    DiscordBot,
    Email,
    EntraSecret,
    Ethereum,
    GoogleRefresh,
    HomePath,
    Iban,
    Ipv4,
    Ipv6,
    Jwt,
    Mac,
    MailchimpKey,
    MaxmindKey,
    Mrz,
    NestedEncoding,
    Phone,
    PrivateKey,
    QuerySecret,
    SalesforceSession,
    SqlLiteral,
    Ssn,
    TelegramBot,
    TerraformToken,
    UrlUserinfo,
}

/// How many gates there are.
pub(super) const GATES: usize = 32;

/// The gates by name.
pub(super) const NAMES: [(&str, Gate); GATES] = [
    ("authorization", Gate::Authorization),
    ("azure-key", Gate::AzureKey),
    ("base58", Gate::Base58),
    ("base64-key-phase", Gate::Base64KeyPhase),
    ("braintree", Gate::Braintree),
    ("card", Gate::Card),
    ("cli-flag", Gate::CliFlag),
    ("cookie", Gate::Cookie),
    ("discord-bot", Gate::DiscordBot),
    ("email", Gate::Email),
    ("entra-secret", Gate::EntraSecret),
    ("eth", Gate::Ethereum),
    ("google-refresh", Gate::GoogleRefresh),
    ("home-path", Gate::HomePath),
    ("iban", Gate::Iban),
    ("ipv4", Gate::Ipv4),
    ("ipv6", Gate::Ipv6),
    ("jwt", Gate::Jwt),
    ("mac", Gate::Mac),
    ("mailchimp-key", Gate::MailchimpKey),
    ("maxmind-key", Gate::MaxmindKey),
    ("mrz", Gate::Mrz),
    ("nested-encoding", Gate::NestedEncoding),
    ("phone", Gate::Phone),
    ("private-key", Gate::PrivateKey),
    ("query-secret", Gate::QuerySecret),
    ("salesforce-session", Gate::SalesforceSession),
    ("sql-literal", Gate::SqlLiteral),
    ("ssn", Gate::Ssn),
    ("telegram-bot", Gate::TelegramBot),
    ("terraform-token", Gate::TerraformToken),
    ("url-userinfo", Gate::UrlUserinfo),
];

/// The gate of that name.
pub(super) fn find(name: &str) -> Option<Gate> {
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, gate)| *gate)
}
