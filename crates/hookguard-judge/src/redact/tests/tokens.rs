//! Every kind of token with a form of its own, planted in five surroundings: none of it is left.

use super::chance::{ALNUM, BASE64, Chance, HEX, LOWER, UPPER, WORD};
use super::{assert_none, checked, fault, is_left, surroundings};

/// Kind, beginning, alphabet, length, end: the formal ones, from the vendors' pages and gitleaks' rule set at b58d3f10.
#[rustfmt::skip]
const FORMS: &[(&str, &str, &str, usize, &str)] = &[
    ("anthropic", "sk-ant-api03-", WORD, 93, "AA"),
    ("anthropic", "sk-ant-admin01-", WORD, 93, "AA"),
    ("anthropic", "sk-ant-oat01-", WORD, 93, "AA"),
    ("openai", "sk-", ALNUM, 48, ""),
    ("openai", "sk-proj-", WORD, 124, ""),
    ("openai", "sk-svcacct-", WORD, 124, ""),
    ("openrouter", "sk-or-v1-", HEX, 64, ""),
    ("google", "AIza", WORD, 35, ""),
    ("google", "GOCSPX-", WORD, 28, ""),
    ("google", "ya29.", WORD, 120, ""),
    ("google", "AQ.Ab8RN6", WORD, 44, ""),
    ("groq", "gsk_", ALNUM, 52, ""),
    ("xai", "xai-", ALNUM, 80, ""),
    ("perplexity", "pplx-", ALNUM, 48, ""),
    ("replicate", "r8_", ALNUM, 37, ""),
    ("huggingface", "hf_", ALNUM, 34, ""),
    ("nvidia", "nvapi-", WORD, 64, ""),
    ("langsmith", "lsv2_pt_", HEX, 32, "_0a1b2c3d4e"),
    ("github", "ghp_", ALNUM, 36, ""),
    ("github", "gho_", ALNUM, 36, ""),
    ("github", "ghu_", ALNUM, 36, ""),
    ("github", "ghs_", ALNUM, 36, ""),
    ("github", "ghr_", ALNUM, 36, ""),
    ("github", "github_pat_", ALNUM, 22, "_0123456789abcdefghijklmnopqrstuvwxyz"),
    ("gitlab", "glpat-", WORD, 20, ""),
    ("gitlab", "gldt-", WORD, 20, ""),
    ("gitlab", "glrt-", WORD, 20, ""),
    ("gitlab", "glcbt-64_", WORD, 20, ""),
    ("gitlab", "glptt-", HEX, 40, ""),
    ("gitlab", "glft-", WORD, 20, ""),
    ("gitlab", "glimt-", WORD, 25, ""),
    ("gitlab", "glagent-", WORD, 50, ""),
    ("gitlab", "gloas-", WORD, 64, ""),
    ("gitlab", "glsoat-", WORD, 20, ""),
    ("gitlab", "glffct-", WORD, 20, ""),
    ("gitlab", "GR1348941", WORD, 20, ""),
    ("aws", "AKIA", UPPER, 16, ""),
    ("aws", "ASIA", UPPER, 16, ""),
    ("aws", "ABSK", BASE64, 120, ""),
    ("aws", "IQoJb3JpZ2lu", BASE64, 300, ""),
    ("azure", "abc8Q~", WORD, 34, ""),
    ("slack", "xoxb-", "0123456789", 12, "-123456789012-aBcDeFgHiJkLmNoPqRsTuVwX"),
    ("slack", "xoxp-", "0123456789", 12, "-123456789012-aBcDeFgHiJkLmNoPqRsTuVwX"),
    ("slack", "xapp-1-", UPPER, 11, "-1234567890123-0123456789abcdef0123456789abcdef"),
    ("slack", "https://hooks.slack.com/services/", UPPER, 9, "/B01234567/aBcDeFgHiJkLmNoPqRsTuVwX"),
    ("discord", "https://discord.com/api/webhooks/", "0123456789", 18, "/aBcDeFgHiJkLmNoPqRsTuVwXaBcDeFgHiJkLmNoPqRsTuVwXaBcDeFgHiJkLmNoPqRs"),
    ("discord", "MTA1", ALNUM, 20, ".GaBcDe.aBcDeFgHiJkLm9oPqRsTuVwX3yZaBcDeF"),
    ("telegram", "https://api.telegram.org/bot123456789:", "A", 2, "Hd9sKf8_3nVbQwErTyUiOpAsDfGhJkLzX"),
    ("telegram", "5123456789:", "A", 2, "Hd9sKf8_3nVbQwErTyUiOpAsDfGhJkLzX"),
    ("twilio", "SK", HEX, 32, ""),
    ("sendgrid", "SG.", ALNUM, 22, ".aBcDeFgHiJkLmNoPqRsTuVwXaBcDeFgHiJkLmNoPqRs"),
    ("mailgun", "key-", HEX, 32, ""),
    ("mailchimp", "0123", HEX, 28, "-us12"),
    ("brevo", "xkeysib-", HEX, 64, "-aBcDeFgHiJkLmNoP"),
    ("stripe", "sk_live_", ALNUM, 24, ""),
    ("stripe", "sk_test_", ALNUM, 24, ""),
    ("stripe", "rk_live_", ALNUM, 24, ""),
    ("stripe", "whsec_", ALNUM, 32, ""),
    ("square", "sq0atp-", WORD, 22, ""),
    ("square", "sq0csp-", WORD, 43, ""),
    ("square", "EAAA", WORD, 60, ""),
    ("paypal", "access_token$production$", LOWER, 16, "$0123456789abcdef0123456789abcdef"),
    ("shopify", "shpat_", HEX, 32, ""),
    ("shopify", "shpss_", HEX, 32, ""),
    ("shopify", "shpca_", HEX, 32, ""),
    ("shopify", "shppa_", HEX, 32, ""),
    ("npm", "npm_", ALNUM, 36, ""),
    ("pypi", "pypi-AgEIcHlwaS5vcmc", WORD, 150, ""),
    ("rubygems", "rubygems_", HEX, 48, ""),
    ("crates_io", "cio", ALNUM, 32, ""),
    ("nuget", "oy2", LOWER, 43, ""),
    ("docker", "dckr_pat_", WORD, 27, ""),
    ("heroku", "HRKU-AA", WORD, 58, ""),
    ("digitalocean", "dop_v1_", HEX, 64, ""),
    ("digitalocean", "doo_v1_", HEX, 64, ""),
    ("cloudflare", "v1.0-", HEX, 24, "-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"),
    ("vercel", "vcp_", ALNUM, 24, ""),
    ("netlify", "nfp_", ALNUM, 36, ""),
    ("supabase", "sbp_", HEX, 40, ""),
    ("supabase", "sb_secret_", ALNUM, 31, ""),
    ("planetscale", "pscale_tkn_", WORD, 43, ""),
    ("planetscale", "pscale_pw_", WORD, 43, ""),
    ("neon", "napi_", LOWER, 64, ""),
    ("databricks", "dapi", HEX, 32, ""),
    ("newrelic", "NRAK-", UPPER, 27, ""),
    ("newrelic", "0123", HEX, 32, "NRAL"),
    ("grafana", "glc_", BASE64, 80, ""),
    ("grafana", "glsa_", ALNUM, 32, "_0a1b2c3d"),
    ("grafana", "eyJrIjoi", ALNUM, 80, ""),
    ("sentry", "sntrys_eyJpYXQiO", BASE64, 100, "_aBcDeFgHiJkLmNoPqRsTuVwXaBcDeFgHiJkLmNoPqRs"),
    ("sentry", "sntryu_", HEX, 64, ""),
    ("linear", "lin_api_", ALNUM, 40, ""),
    ("notion", "ntn_", ALNUM, 46, ""),
    ("notion", "secret_", ALNUM, 43, ""),
    ("figma", "figd_", WORD, 40, ""),
    ("atlassian", "ATATT3", WORD, 186, ""),
    ("asana", "1/1234567890123456:", HEX, 32, ""),
    ("airtable", "pat", ALNUM, 14, ".0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"),
    ("postman", "PMAK-", HEX, 24, "-0123456789abcdef0123456789abcdef01"),
    ("terraform", "aBc1", ALNUM, 10, ".atlasv1.aBcDeFgHiJkLmNoPqRsTuVwXaBcDeFgHiJkLmNoPqRsTuVwX0123456789abcdefghij"),
    ("vault", "hvs.", WORD, 95, ""),
    ("vault", "hvb.", WORD, 140, ""),
    ("vault", "s.", ALNUM, 24, ""),
    ("pulumi", "pul-", HEX, 40, ""),
    ("doppler", "dp.pt.", ALNUM, 43, ""),
    ("doppler", "dp.st.prd.", ALNUM, 43, ""),
    ("onepassword", "ops_eyJ", BASE64, 260, ""),
    ("onepassword", "A3-", UPPER, 6, "-ABC2EF-ABC3E-ABC4E-ABC5E-ABC6E"),
    ("age", "AGE-SECRET-KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58, ""),
    ("tailscale", "tskey-auth-", ALNUM, 30, ""),
    ("fly", "fo1_", WORD, 43, ""),
    ("jwt", "eyJ", ALNUM, 33, ".eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"),
    ("private_key", "MIIEvQIBADAN", BASE64, 600, ""),
    ("private_key", "LS0tLS1CRUdJTiBQUklWQVRF", BASE64, 600, ""),
    ("bearer", "Bearer ", ALNUM, 24, ""),
    ("basic", "Authorization: Basic ", ALNUM, 24, "=="),
];

#[test]
fn every_form_in_every_surrounding() {
    let (mut chance, mut faults) = (Chance(1), Vec::new());
    for (kind, start, alphabet, length, end) in FORMS {
        // Several draws: some look less like chance than others.
        for _ in 0..20 {
            let body = format!("{}{end}", chance.text(alphabet, *length));
            // A word does not end with these, and a joiner's length is not known from outside.
            let body = body.trim_end_matches(['-', '_', '.']).trim_start_matches(['-', '_']);
            let secret = format!("{start}{body}");
            for text in surroundings(&secret) {
                faults.extend(fault(&text, kind, body));
            }
        }
    }
    assert_none(faults);
}

/// What stands directly before or behind a token is not always a blank.
#[test]
fn every_form_behind_escapes_and_marks() {
    let (mut chance, mut faults) = (Chance(2), Vec::new());
    for (kind, start, alphabet, length, end) in FORMS {
        let body = format!("{}{end}", chance.text(alphabet, *length));
        let body = body.trim_end_matches(['-', '_', '.']).trim_start_matches(['-', '_']);
        let secret = format!("{start}{body}");
        for (before, after) in [
            ("x\\n", "\\n"),
            ("\u{1b}[31m", "\u{1b}[0m"),
            ("k%3D", "%26a"),
            ("\\u003c", "\\u003e"),
            ("(", ")"),
            ("<", ">"),
            ("鍵は", "です"),
            ("\"", "\""),
            ("'", "'."),
            ("`", "`,"),
            ("x=", ";"),
            ("[", "](y)"),
            ("**", "**"),
            ("\\t", "\\r\\n"),
        ] {
            let text = format!("{before}{secret}{after}");
            faults.extend(fault(&text, kind, body));
        }
    }
    assert_none(faults);
}

#[test]
fn a_token_broken_by_characters_that_nobody_sees() {
    let (mut chance, mut faults) = (Chance(3), Vec::new());
    for (kind, start, alphabet, length, end) in FORMS {
        let body = format!("{}{end}", chance.text(alphabet, *length));
        let body = body.trim_end_matches(['-', '_', '.']).trim_start_matches(['-', '_']);
        for unseen in ['\u{200b}', '\u{ad}', '\u{feff}', '\u{2060}', '\u{202e}'] {
            let secret = format!("{start}{body}");
            let (one, two) = (2 + chance.below(secret.len() - 3), 2 + chance.below(secret.len() - 3));
            let (one, two) = (one.min(two), one.max(two));
            let broken = format!("{}{unseen}{}{unseen}{}", &secret[..one], &secret[one..two], &secret[two..]);
            let text = format!("é {broken} ü");
            let redacted = checked(&text);
            let seen = redacted.text.replace(unseen, "");
            if redacted.found != [*kind] || is_left(&seen, body) {
                faults.push(format!("{:?} in {text:?}: {seen:?}", redacted.found));
            }
        }
    }
    assert_none(faults);
}

/// The beginning stays and says what it was; the length stays; no end of it does.
#[test]
fn what_is_kept() {
    let body = "aZ9".repeat(12);
    assert_eq!(checked(&format!("x ghp_{body} y")).text, "x ghp_***36 y");
    assert_eq!(checked(&format!("GITHUB_TOKEN=ghp_{body}")).text, "GITHUB_TOKEN=ghp_***36");
    assert_eq!(
        checked(&format!("curl -H 'Authorization: Bearer ghp_{body}' x")).text,
        "curl -H 'Authorization: Bearer ghp_***36' x"
    );
    assert_eq!(checked(&format!("https://ghp_{body}@github.com/a/b")).text, "https://ghp_***36@github.com/a/b");
}

/// A secret key of AWS has no beginning; near its id it is known, and by its name.
#[test]
fn a_secret_key_near_its_id() {
    let (mut chance, mut faults) = (Chance(4), Vec::new());
    for _ in 0..50 {
        let (id, key) = (chance.text(UPPER, 16), chance.text(BASE64, 40));
        for text in [
            format!("AKIA{id}:{key}"),
            format!("AKIA{id},{key}"),
            format!("| AKIA{id} | {key} |"),
            format!("AccessKeyId: AKIA{id}\nand then: {key}"),
            format!("aws_access_key_id = AKIA{id}\naws_secret_access_key = {key}\n"),
            format!("aws configure set aws_secret_access_key {key}"),
            format!("AWS_SECRET_ACCESS_KEY={key} aws s3 ls"),
            format!("{{\"AccessKeyId\": \"AKIA{id}\", \"SecretAccessKey\": \"{key}\"}}"),
        ] {
            let redacted = checked(&text);
            if is_left(&redacted.text, &key) || is_left(&redacted.text, &id) {
                faults.push(format!("{} of {text}", redacted.text));
            }
        }
    }
    assert_none(faults);
}
