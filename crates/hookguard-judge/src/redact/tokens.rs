//! Tokens that are known by how they begin: the table, and how a position is looked up in it.
//!
//! Facts (beginnings, lengths, alphabets) are from the vendors' pages and gitleaks' rule set at b58d3f10. Lengths are
//! a little below the formal ones: a token that was cut is still one.

use std::cell::Cell;

use super::bytes::{
    ALNUM, BASE64, CREDENTIAL, DOTTED, HEX, HEX_DASH, LOWER_ALNUM, PERCENT, Set, UPPER_ALNUM, WORD, end_of, is,
};
use super::shape;
use super::shape::LOOKED_AT;
use super::{Find, Kind};

/// A token format: where it begins, which bytes it is made of, and how many of them.
struct Token {
    kind: Kind,
    start: &'static str,
    alphabet: Set,
    least: usize,
    /// More than these, and it is something else.
    most: usize,
    /// The beginning says little: what follows must look random.
    random: bool,
}

const fn token(kind: Kind, start: &'static str, alphabet: Set, least: usize) -> Token {
    Token { kind, start, alphabet, least, most: usize::MAX, random: false }
}

const fn random(kind: Kind, start: &'static str, alphabet: Set, least: usize) -> Token {
    Token { random: true, ..token(kind, start, alphabet, least) }
}

const fn exactly(kind: Kind, start: &'static str, alphabet: Set, length: usize) -> Token {
    Token { most: length, ..random(kind, start, alphabet, length) }
}

/// Longer beginnings before the shorter ones that they contain.
#[rustfmt::skip]
const TOKENS: &[Token] = &[
    // Models.
    token("anthropic", "sk-ant-", WORD, 20),
    token("openai", "sk-proj-", WORD, 20),
    token("openai", "sk-svcacct-", WORD, 20),
    token("openai", "sk-admin-", WORD, 20),
    token("openai", "sk-None-", WORD, 20),
    token("openrouter", "sk-or-v1-", HEX, 32),
    token("langfuse", "sk-lf-", HEX_DASH, 32),
    token("openai", "sk-", ALNUM, 32),
    token("google", "AIza", WORD, 30),
    token("google", "AQ.Ab", WORD, 30),
    token("google", "GOCSPX-", WORD, 24),
    token("google", "ya29.", DOTTED, 20),
    random("google", "1//0", WORD, 30),
    token("groq", "gsk_", ALNUM, 40),
    token("xai", "xai-", ALNUM, 60),
    token("perplexity", "pplx-", ALNUM, 40),
    random("replicate", "r8_", ALNUM, 32),
    token("huggingface", "hf_", ALNUM, 30),
    token("huggingface", "api_org_", ALNUM, 30),
    token("cerebras", "csk-", ALNUM, 40),
    token("nvidia", "nvapi-", WORD, 40),
    token("together", "tgp_v1_", WORD, 30),
    random("fireworks", "fw_", ALNUM, 22),
    token("langsmith", "lsv2_pt_", WORD, 30),
    token("langsmith", "lsv2_sk_", WORD, 30),
    random("pinecone", "pcsk_", WORD, 40),
    token("jina", "jina_", WORD, 40),
    random("elevenlabs", "sk_", HEX, 40),
    random("tavily", "tvly-", WORD, 24),
    exactly("firecrawl", "fc-", HEX, 32),
    // Hosts of code, and builds.
    token("github", "github_pat_", WORD, 22),
    token("github", "ghp_", ALNUM, 30),
    token("github", "gho_", ALNUM, 30),
    token("github", "ghu_", ALNUM, 30),
    token("github", "ghs_", DOTTED, 30),
    token("github", "ghr_", ALNUM, 30),
    token("gitlab", "glpat-", DOTTED, 18),
    token("gitlab", "gldt-", WORD, 18),
    token("gitlab", "glrtr-", DOTTED, 18),
    token("gitlab", "glrt-", DOTTED, 18),
    token("gitlab", "glcbt-", DOTTED, 18),
    token("gitlab", "glptt-", WORD, 18),
    token("gitlab", "glft-", WORD, 18),
    token("gitlab", "glimt-", WORD, 18),
    token("gitlab", "glagent-", WORD, 18),
    token("gitlab", "gloas-", WORD, 18),
    token("gitlab", "glsoat-", WORD, 18),
    token("gitlab", "glffct-", WORD, 18),
    token("gitlab", "glwt-", WORD, 18),
    token("gitlab", "GR1348941", WORD, 18),
    token("atlassian", "ATATT3", CREDENTIAL, 40),
    token("atlassian", "ATCTT3", CREDENTIAL, 40),
    token("atlassian", "ATSTT3", CREDENTIAL, 40),
    random("bitbucket", "ATBB", CREDENTIAL, 20),
    random("buildkite", "bkua_", ALNUM, 32),
    random("circleci", "CCIPAT_", WORD, 30),
    random("circleci", "CCIPRJ_", WORD, 30),
    random("sonar", "squ_", ALNUM, 40),
    random("sonar", "sqp_", ALNUM, 40),
    random("sonar", "sqa_", ALNUM, 40),
    token("sourcegraph", "sgp_", WORD, 32),
    token("postman", "PMAK-", HEX_DASH, 40),
    token("octopus", "API-", UPPER_ALNUM, 26),
    token("infracost", "ico-", ALNUM, 32),
    // Clouds and hosting.
    token("aws", "AKIA", UPPER_ALNUM, 16),
    token("aws", "ASIA", UPPER_ALNUM, 16),
    token("aws", "ABIA", UPPER_ALNUM, 16),
    token("aws", "ACCA", UPPER_ALNUM, 16),
    exactly("aws", "A3T", UPPER_ALNUM, 17),
    random("aws", "ABSK", BASE64, 60),
    token("aws", "bedrock-api-key-", BASE64, 40),
    token("aws", "FwoGZXIvYXdz", BASE64, 40),
    token("aws", "IQoJb3JpZ2lu", BASE64, 40),
    token("digitalocean", "dop_v1_", HEX, 40),
    token("digitalocean", "doo_v1_", HEX, 40),
    token("digitalocean", "dor_v1_", HEX, 40),
    token("cloudflare", "v1.0-", HEX_DASH, 100),
    random("cloudflare", "cfut_", WORD, 36),
    random("cloudflare", "cfat_", WORD, 36),
    random("cloudflare", "cfk_", WORD, 36),
    token("heroku", "HRKU-", WORD, 36),
    random("vercel", "vcp_", ALNUM, 24),
    random("vercel", "vci_", ALNUM, 24),
    random("vercel", "vca_", ALNUM, 24),
    random("vercel", "vcr_", ALNUM, 24),
    random("vercel", "vck_", ALNUM, 24),
    token("vercel", "vercel_blob_rw_", WORD, 24),
    random("netlify", "nfp_", ALNUM, 32),
    random("netlify", "nfo_", ALNUM, 32),
    random("netlify", "nfu_", ALNUM, 32),
    random("netlify", "nfc_", ALNUM, 32),
    random("netlify", "nfb_", ALNUM, 32),
    random("render", "rnd_", ALNUM, 24),
    random("fly", "fo1_", WORD, 40),
    random("fly", "fm1r_", BASE64, 60),
    random("fly", "fm1a_", BASE64, 60),
    random("fly", "fm2_", BASE64, 60),
    token("alibaba", "LTAI", ALNUM, 16),
    exactly("tencent", "AKID", ALNUM, 32),
    random("yandex", "AQVN", WORD, 35),
    token("openshift", "sha256~", WORD, 40),
    token("scalingo", "tk-us-", WORD, 40),
    token("tailscale", "tskey-", WORD, 20),
    token("deno", "ddp_", ALNUM, 30),
    token("deno", "ddo_", ALNUM, 30),
    // Data.
    random("supabase", "sbp_", ALNUM, 36),
    random("supabase", "sb_secret_", WORD, 24),
    token("planetscale", "pscale_tkn_", DOTTED, 30),
    token("planetscale", "pscale_oauth_", DOTTED, 30),
    token("planetscale", "pscale_pw_", DOTTED, 30),
    random("neon", "napi_", ALNUM, 40),
    random("neon", "npg_", ALNUM, 10),
    token("databricks", "dapi", HEX, 32),
    token("databricks", "dose", HEX, 32),
    exactly("clickhouse", "4b1d", ALNUM, 38),
    random("airtable", "pat-na1-", HEX_DASH, 32),
    random("airtable", "pat-eu1-", HEX_DASH, 32),
    token("contentful", "CFPAT-", WORD, 40),
    // Watching.
    random("datadog", "ddapi_", ALNUM, 30),
    token("newrelic", "NRAK-", UPPER_ALNUM, 24),
    token("newrelic", "NRII-", WORD, 30),
    token("newrelic", "NRJS-", HEX, 18),
    token("newrelic", "NRRA-", HEX, 40),
    token("newrelic", "NRIQ-", WORD, 30),
    token("grafana", "glc_", BASE64, 32),
    token("grafana", "glsa_", WORD, 32),
    token("grafana", "eyJrIjoi", BASE64, 50),
    token("sentry", "sntrys_", CREDENTIAL, 40),
    token("sentry", "sntryu_", HEX, 50),
    token("sentry", "sntrya_", HEX, 50),
    token("dynatrace", "dt0c01.", DOTTED, 40),
    random("posthog", "phx_", ALNUM, 36),
    // Messages.
    token("slack", "xoxb-", WORD, 10),
    token("slack", "xoxp-", WORD, 10),
    token("slack", "xoxe-", WORD, 10),
    token("slack", "xoxa-", WORD, 10),
    token("slack", "xoxo-", WORD, 10),
    token("slack", "xoxr-", WORD, 10),
    token("slack", "xoxs-", WORD, 10),
    token("slack", "xoxc-", WORD, 10),
    token("slack", "xoxd-", CREDENTIAL | PERCENT, 10),
    token("slack", "xapp-", WORD, 10),
    token("slack", "xwfp-", WORD, 10),
    token("slack", "hooks.slack.com/services/", BASE64, 20),
    token("slack", "hooks.slack.com/workflows/", BASE64, 20),
    token("slack", "hooks.slack.com/triggers/", BASE64, 20),
    token("discord", "discord.com/api/webhooks/", CREDENTIAL, 40),
    token("discord", "discordapp.com/api/webhooks/", CREDENTIAL, 40),
    random("discord", "mfa.", WORD, 60),
    token("teams", "webhook.office.com/webhookb2/", CREDENTIAL, 30),
    exactly("twilio", "SK", HEX, 32),
    token("sendgrid", "SG.", DOTTED, 50),
    exactly("mailgun", "key-", HEX, 32),
    token("brevo", "xkeysib-", WORD, 40),
    token("brevo", "xsmtpsib-", WORD, 40),
    random("resend", "re_", WORD, 24),
    exactly("twitch", "oauth:", LOWER_ALNUM, 30),
    token("facebook", "EAAM", ALNUM, 80),
    token("facebook", "EAAC", ALNUM, 80),
    // Money.
    token("stripe", "sk_live_", ALNUM, 10),
    token("stripe", "sk_test_", ALNUM, 10),
    token("stripe", "sk_prod_", ALNUM, 10),
    token("stripe", "rk_live_", ALNUM, 10),
    token("stripe", "rk_test_", ALNUM, 10),
    token("stripe", "rk_prod_", ALNUM, 10),
    random("stripe", "whsec_", BASE64, 24),
    token("square", "sq0atp-", WORD, 20),
    token("square", "sq0csp-", WORD, 20),
    random("square", "EAAA", WORD, 40),
    random("square", "EAAl", WORD, 40),
    token("paypal", "access_token$production$", CREDENTIAL, 20),
    token("paypal", "access_token$sandbox$", CREDENTIAL, 20),
    random("paypal", "A21AA", WORD, 40),
    token("plaid", "access-production-", HEX_DASH, 30),
    token("plaid", "access-development-", HEX_DASH, 30),
    token("plaid", "access-sandbox-", HEX_DASH, 30),
    token("shopify", "shpat_", HEX, 30),
    token("shopify", "shpca_", HEX, 30),
    token("shopify", "shppa_", HEX, 30),
    token("shopify", "shpss_", HEX, 30),
    token("shopify", "shptka_", HEX, 30),
    token("shippo", "shippo_live_", HEX, 30),
    token("shippo", "shippo_test_", HEX, 30),
    token("easypost", "EZAK", ALNUM, 50),
    token("easypost", "EZTK", ALNUM, 50),
    token("duffel", "duffel_live_", WORD, 40),
    token("duffel", "duffel_test_", WORD, 40),
    token("flutterwave", "FLWSECK_TEST-", WORD, 12),
    token("flutterwave", "FLWSECK-", WORD, 12),
    // Registries of packages.
    token("npm", "npm_", ALNUM, 30),
    token("pypi", "pypi-AgE", WORD, 40),
    token("rubygems", "rubygems_", HEX, 40),
    exactly("crates_io", "cio", ALNUM, 32),
    exactly("nuget", "oy2", LOWER_ALNUM, 43),
    token("docker", "dckr_pat_", WORD, 20),
    token("docker", "dckr_oat_", WORD, 20),
    random("artifactory", "AKCp", ALNUM, 60),
    random("artifactory", "cmVmd", ALNUM, 50),
    token("clojars", "CLOJARS_", ALNUM, 50),
    // Teams' tools.
    token("linear", "lin_api_", ALNUM, 32),
    token("linear", "lin_oauth_", ALNUM, 32),
    token("notion", "ntn_", ALNUM, 40),
    exactly("notion", "secret_", ALNUM, 43),
    token("figma", "figd_", WORD, 30),
    token("figma", "figu_", WORD, 30),
    token("figma", "figo_", WORD, 30),
    token("typeform", "tfp_", DOTTED, 40),
    token("frameio", "fio-u-", WORD, 50),
    token("adobe", "p8e-", ALNUM, 32),
    token("readme", "rdme_", ALNUM, 50),
    token("prefect", "pnu_", ALNUM, 32),
    token("prefect", "pnb_", ALNUM, 32),
    random("dropbox", "sl.", DOTTED, 100),
    // Keepers of secrets.
    token("vault", "hvs.", WORD, 20),
    token("vault", "hvb.", WORD, 20),
    token("vault", "hvr.", WORD, 20),
    exactly("vault", "s.", ALNUM, 24),
    token("pulumi", "pul-", HEX, 36),
    token("doppler", "dp.pt.", DOTTED, 32),
    token("doppler", "dp.st.", DOTTED, 32),
    token("doppler", "dp.ct.", DOTTED, 32),
    token("doppler", "dp.sa.", DOTTED, 32),
    token("doppler", "dp.scim.", DOTTED, 32),
    token("doppler", "dp.audit.", DOTTED, 32),
    token("onepassword", "ops_eyJ", BASE64, 40),
    random("onepassword", "A3-", HEX_DASH | UPPER_ALNUM, 28),
    token("age", "AGE-SECRET-KEY-1", UPPER_ALNUM, 40),
    token("age", "AGE-PLUGIN-", HEX_DASH | UPPER_ALNUM, 30),
    // Private keys without their first line, as base64 (PKCS#8, PKCS#1, SEC 1, OpenSSH), or with it and encoded once more.
    token("private_key", "MIIEvQIBADAN", BASE64, 30),
    token("private_key", "MIIEvgIBADAN", BASE64, 30),
    token("private_key", "MIIEvwIBADAN", BASE64, 30),
    token("private_key", "MIIJQwIBADAN", BASE64, 30),
    token("private_key", "MIIJQgIBADAN", BASE64, 30),
    token("private_key", "MIIEpAIBAAKC", BASE64, 30),
    token("private_key", "MIIEowIBAAKC", BASE64, 30),
    token("private_key", "MIIEpQIBAAKC", BASE64, 30),
    token("private_key", "MIIJKQIBAAKC", BASE64, 30),
    token("private_key", "MIIJKAIBAAKC", BASE64, 30),
    token("private_key", "MC4CAQAwBQYDK2Vw", BASE64, 30),
    token("private_key", "MHcCAQEEI", BASE64, 30),
    token("private_key", "b3BlbnNzaC1rZXktdjEA", BASE64, 30),
    token("private_key", "LS0tLS1CRUdJTiBSU0EgUFJJVkFURS", BASE64, 30),
    token("private_key", "LS0tLS1CRUdJTiBQUklWQVRF", BASE64, 30),
    token("private_key", "LS0tLS1CRUdJTiBFQyBQUklWQVRF", BASE64, 30),
    token("private_key", "LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVE", BASE64, 30),
    token("private_key", "LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJVkFURS", BASE64, 30),
];

/// The beginnings by their first byte: `INDEX.rows[INDEX.from[byte]..INDEX.from[byte + 1]]` are rows of [`TOKENS`].
struct Index {
    from: [u16; 129],
    rows: [u16; TOKENS.len()],
    /// Which second bytes follow a first one, and which third ones: nearly every position is let go by these.
    second: [u128; 128],
    third: [u128; 128],
}

const INDEX: Index = {
    let mut index = Index { from: [0; 129], rows: [0; TOKENS.len()], second: [0; 128], third: [0; 128] };
    let (mut first, mut filled) = (0, 0);
    while first < 128 {
        index.from[first] = filled as u16;
        let mut row = 0;
        while row < TOKENS.len() {
            let start = TOKENS[row].start.as_bytes();
            if start[0] as usize == first {
                index.rows[filled] = row as u16;
                filled += 1;
                index.second[first] |= 1 << start[1];
                // Two beginnings have but two bytes.
                index.third[first] |= if start.len() > 2 { 1 << start[2] } else { u128::MAX };
            }
            row += 1;
        }
        first += 1;
    }
    index.from[128] = filled as u16;
    index
};
static STARTS: Index = INDEX;

/// Where the last look for a JWT ended in vain: before it no other can begin.
#[derive(Default)]
pub(super) struct Memory {
    no_jwt_before: Cell<usize>,
}

/// The token that begins at `at`, where a word or a part of one begins.
#[inline]
pub(super) fn find(bytes: &[u8], at: usize, memory: &Memory) -> Option<Find> {
    let [first, second, third, ..] = bytes[at..] else { return None };
    let known = first < 128
        && second < 128
        && third < 128
        && STARTS.second[first as usize] >> second & STARTS.third[first as usize] >> third & 1 != 0;
    if known { by_start(bytes, at, first) } else { None }
        .or_else(|| if (first, second, third) == (b'e', b'y', b'J') { jwt(bytes, at, memory) } else { None })
}

fn by_start(bytes: &[u8], at: usize, first: u8) -> Option<Find> {
    let rows = STARTS.from[first as usize] as usize..STARTS.from[first as usize + 1] as usize;
    STARTS.rows[rows].iter().find_map(|row| {
        let token = &TOKENS[*row as usize];
        if !bytes[at..].starts_with(token.start.as_bytes()) {
            return None;
        }
        let start = at + token.start.len();
        // Judged by its beginning: where that is no token its end is not looked for.
        let near = &bytes[..bytes.len().min(start + LOOKED_AT)];
        let length = end_of(near, start, token.alphabet) - start;
        if length < token.least || length > token.most || shape::is_filler(&near[start..start + length]) {
            return None;
        }
        if token.random && (in_base64(bytes, at) || !shape::is_random(&near[start..start + length])) {
            return None;
        }
        // What follows without a break belongs to it.
        let end = end_of(bytes, end_of(bytes, start + length, token.alphabet), ALNUM);
        (end - start <= token.most).then(|| Find { start, end: trimmed(bytes, start, end), kind: token.kind })
    })
}

/// Whether so much base64 stands before `at` that a short beginning is there by chance.
fn in_base64(bytes: &[u8], at: usize) -> bool {
    const LONG: usize = 48;
    at >= LONG && bytes[at - LONG..at].iter().all(|byte| is(*byte, BASE64))
}

/// A full stop behind a token ends the sentence.
fn trimmed(bytes: &[u8], start: usize, end: usize) -> usize {
    if end > start && bytes[end - 1] == b'.' { end - 1 } else { end }
}

/// `ey…`.`ey…`.signature, also with the signature cut off or empty.
fn jwt(bytes: &[u8], at: usize, memory: &Memory) -> Option<Find> {
    if at < memory.no_jwt_before.get() {
        return None;
    }
    let head = end_of(bytes, at, WORD);
    if head - at < 15 || !bytes[head..].starts_with(b".") {
        memory.no_jwt_before.set(head);
        return None;
    }
    let body = end_of(bytes, head + 1, WORD);
    // A JWE has no second object, but five parts.
    if !bytes[head + 1..].starts_with(b"ey") && !bytes[body..].starts_with(b".") {
        memory.no_jwt_before.set(head);
        return None;
    }
    (body - head > 10).then(|| {
        let end = end_of(bytes, body, DOTTED);
        Find { start: at + 3, end: trimmed(bytes, at + 3, end), kind: "jwt" }
    })
}
