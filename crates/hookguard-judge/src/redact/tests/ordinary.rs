//! Ordinary text and code is left alone: names without values, code that gets a secret from elsewhere, place holders.

use super::{assert_none, checked};

#[rustfmt::skip]
const ORDINARY: &[&str] = &[
    "git push origin task-sk-learn", "sk-learn and npm_config_registry", "echo $GITHUB_TOKEN --token=$TOKEN",
    "http://localhost:8080/a@b", "Bearer token", "risk-assessment-of-the-whole-project-in-detail-for-everyone",
    // Code that gets it from elsewhere.
    "password = get_password()", "let token: &str = next();", "fn login(password: &str, token: Option<String>) {}",
    "token = self.token", "password=password, token=token", "const token = process.env.TOKEN;", "api_key=os.environ[\"API_KEY\"]",
    "password: str", "private password: string;", "secret: ${{ secrets.DEPLOY_KEY_2 }}", "password: ${DB_PASSWORD_1}",
    "PASSWORD=$(pass show db2)", "TOKEN=`cat t1`", "password: !vault |", "password: *default1", "DB_PASSWORD=\"$PW1\"",
    "auth: Auth2", "let secret = Secret::new(&key1);", "token := tokens[0]", "if (token === undefined)", "password = None",
    "\"password\": null", "\"token\": true", "\"password\": \"string\"", "password: 'text'", "type: 'password'", "secret = secret or ''",
    "token = token2[1:]", "password => user.password1", "passwordField.setText(x1)", "password = user.password_v2",
    "private_key: ed25519.Ed25519PrivateKey", "tokenizer = Tokenizer2()", "{ token: Token2<'a>, kind: Kind8 }",
    // Place holders.
    "API_KEY=<your-token>", "token: xxxxxxxxxxxxxxxx", "password: ********", "PASSWORD=changeme", "api_key: YOUR_API_KEY_1",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "--password=<password>", "secret: '{{ vault_secret1 }}'", "token: \"%s\"", "token=...",
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----", "https://user:password@example.com/", "https://u:$PASS1@example.com",
    // About secrets, without one.
    "max_tokens: 4096", "token_type: \"bearer\"", "password_min_length = 12", "secretName: tls-cert-2024a", "token_expires_in=3600",
    "--password-file /run/p1", "tokenUrl: \"https://x.example/oauth2/v2.0/token\"", "password_hash_algorithm: argon2id",
    "\"author\": \"J. R. 1892 Smith4\"", "authority: x509", "password must be at least 8 characters and 1 digit",
    "\"password\": \"Password must have 8 characters or more\"", "passwordLabel: \"Your password (min. 8)\"", "secret_id_ttl: 24h",
    "public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4", "cache_key = \"user42profile7photo9\"", "PWD=/home/me2/src3", "OLDPWD=x1y2z3",
    "if text.contains(\"-----BEGIN RSA PRIVATE KEY-----\") { start = 1; }", "begin = \"-----BEGIN PRIVATE KEY-----\"; end = \"-----END PRIVATE KEY-----\"",
    "mysql -u root -p shop", "mysql -p$PW -h db", "docker run -p 8080:80 x", "curl -u $USER:$PASS x", "docker run -u 1000:1000 x",
    "cookie: SameSite=Strict; Path=/", "Set-Cookie: theme=dark; Path=/", "Authorization: required for all users",
    "Authorization: Bearer $TOKEN", "'Authorization': `Bearer ${token1}`", "headers.authorization = header2;", "Basic authentication",
    "you can pass `spec=True2` and `auth` here", "the pipe identified by `addr1`", "the password is required", "a token is a word",
    // Hashes and ids that are no secret.
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "commit 4357586be1d90742b282a3ea1a9fa5d113132b67",
    "id: 550e8400-e29b-41d4-a716-446655440000", "integrity: sha512-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7d==", "v1.0-beta.2",
    "key = \"x\"; s.replaceAllOccurrencesOfIt(a)", "https://example.com/a/b?q=1&page=2", "1/2 + 3:4", "12:34:56",
];

#[test]
fn ordinary_text_is_left_alone() {
    assert_none(
        ORDINARY
            .iter()
            .map(|text| checked(text))
            .filter(|redacted| !redacted.found.is_empty())
            .map(|redacted| redacted.text.into_owned())
            .collect(),
    );
}

/// Our own sources are ordinary code too; they have names of secrets everywhere, and none.
#[test]
fn our_own_sources_hold_none() {
    let sources = [
        include_str!("../mod.rs"),
        include_str!("../scan.rs"),
        include_str!("../tokens.rs"),
        include_str!("../names.rs"),
        include_str!("../values.rs"),
        include_str!("../shape.rs"),
        include_str!("../armour.rs"),
        include_str!("../forms.rs"),
        include_str!("../../ledger.rs"),
    ];
    assert_none(
        sources
            .iter()
            .flat_map(|source| source.lines())
            .filter(|line| !checked(line).found.is_empty())
            .map(str::to_owned)
            .collect(),
    );
}

/// What is taken out of a text says nothing of what it was, and the rest stays byte by byte.
#[test]
fn the_rest_stays() {
    assert_eq!(checked("é PASSWORD='hunter22' ü\n").text, "é PASSWORD='***8' ü\n");
    assert_eq!(checked("mysql -u me -phunter22 shop; ls").text, "mysql -u me -p***8 shop; ls");
    assert_eq!(checked("{\"password\": \"hunter22\", \"n\": 1}").text, "{\"password\": \"***8\", \"n\": 1}");
    assert_eq!(checked("a https://me:hunter22@h/x?y b").text, "a https://me:***8@h/x?y b");
    assert_eq!(checked("Password=hunter22;Encrypt=true").text, "Password=***8;Encrypt=true");
}
