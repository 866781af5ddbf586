//! Secrets that are known by what carries them: a name, an option, a header, an address, the lines of a key.

use super::chance::{ALNUM, BASE64, Chance, HEX};
use super::{assert_none, checked, is_left, surroundings};

/// Ways to write a password; `§` is it. Passwords are chosen by humans.
#[rustfmt::skip]
const PASSWORDS: &[&str] = &[
    "PASSWORD=§", "export DB_PASSWORD=§", "DB_PASSWORD='§' ./run", "PGPASSWORD=\"§\" psql -h db", "MYSQL_PWD=§ mysql",
    "docker run -e POSTGRES_PASSWORD=§ postgres", "SMTP_PASS=§", "set ADMIN_PASSWORD=§", "$env:DB_PASSWORD = \"§\"",
    "password: §", "password: \"§\"", "db_password: '§'", "passwd: §", "  rootPassword: §", "spring.datasource.password=§",
    "\"password\": \"§\"", "{\"dbPassword\":\"§\"}", "{'password': '§'}", "\\\"password\\\": \\\"§\\\"",
    "password = \"§\"", "passwd = '§'", "let password = \"§\";", "const dbPassword = '§';", "$password = '§';", "password := \"§\"",
    "const PASSWORD: &str = \"§\";", "String password = \"§\";", "private string Password = \"§\";", "password: str = '§'",
    "char *passwd = \"§\";", "config.password = `§`", "'password' => '§',", ":password => \"§\"", "settings[\"password\"] = \"§\"",
    "connect(user=\"me\", password=\"§\")", "if password == \"§\":", "password=§", "<password>§</password>", "password%3D§",
    "Server=db;User Id=sa;Password=§;Encrypt=true", "Server=db;Uid=sa;Pwd=§", "host=db user=me password=§ dbname=x",
    "postgres://me:§@db.example.com:5432/x", "mysql+pymysql://root:§@localhost/x", "redis://:§@cache:6379/0",
    "mongodb+srv://app:§@cluster0.mongodb.net/x?retryWrites=true", "amqp://u:§@mq", "https://me:§@example.com/x.git",
    "jdbc:postgresql://db/x?user=me&password=§", "curl 'https://x.example/login?user=me&password=§&go=1'",
    "mysql -u root -p§ shop", "mysqldump -h db -uroot -p'§' shop > x.sql", "mysql --user=root --password=§ -e 'select 1'",
    "psql --password § x", "tool --password '§'", "tool --db-password=\"§\" run", "java -jar x.jar -storepass §", "ftp -password §",
    "curl -u me:§ https://x.example", "curl --user 'me:§' https://x.example", "curl -sS -u \"me:§\" x", "curl -ume:§ x",
    "curl --proxy-user me:§ x", "http -a me:§ GET x.example", "redis-cli -h c -a § ping", "sshpass -p § ssh me@host",
    "sshpass -p'§' scp a b:", "docker login -u me -p § registry.example", "sqlcmd -S db -U sa -P '§' -Q x", "az login -u me -p §",
    "ldapsearch -x -D cn=admin -w § -b dc=x", "smbclient //h/s -U 'me%§'", "zip -P § x.zip y",
    "ssh-keygen -N '§' -f k", "7z x -p§ a.7z", "unzip -P § a.zip",
    "openssl enc -aes-256-cbc -pass pass:§ -in x", "openssl rsa -passin 'pass:§' -in k", "mosquitto_pub -u me -P § -t x",
    "echo '§' | sudo -S apt update", "echo \"§\" | sudo -S -k id", "echo 'me:§' | chpasswd", "machine h login me password §",
    "CREATE USER me IDENTIFIED BY '§';", "ALTER USER me WITH PASSWORD '§';", "the password is §", "password: `§`",
    "wget --user=me --password=§ https://x.example", "mongosh -u me -p § --authenticationDatabase admin", "ansible_ssh_pass=§",
    "kubectl create secret generic x --from-literal=password=§", "helm install x --set auth.password=§", "Passwort: §",
    "SPRING_DATASOURCE_PASSWORD=§", "git config credential.password §", "&quot;password&quot;:&quot;§&quot;",
    "keytool -genkey -keypass § -alias x", "/usr/bin/mysql -p§ x", "--build-arg NPM_PASS=§",
];

/// Ways to write a secret that a machine has made.
#[rustfmt::skip]
const SECRETS: &[&str] = &[
    "SECRET=§", "export API_KEY=§", "MISTRAL_API_KEY=§", "DD_API_KEY=§ datadog-agent", "AZURE_CLIENT_SECRET=\"§\"", "JWT_SECRET='§'",
    "SECRET_KEY_BASE=§", "AUTH_TOKEN=§", "CLOUDFLARE_API_TOKEN=§", "FASTLY_API_TOKEN=§", "SNOWFLAKE_TOKEN=§", "OPENAI_KEY=§",
    "api_key: §", "apiKey: \"§\"", "api-key: '§'", "client_secret: §", "access_token: §", "  token: §", "secretAccessKey: §",
    "\"api_key\": \"§\"", "{\"clientSecret\":\"§\"}", "{\"access_token\": \"§\", \"expires_in\": 3600}", "\"token\":\"§\"",
    "api_key = \"§\"", "let token = \"§\";", "const API_KEY = '§';", "secret := `§`", "static API_KEY: &'static str = \"§\";",
    "const apiKey: string = \"§\";", "self.token = '§'", "client = Client(api_key=\"§\")", "token=§", "api_key=§", "secret_key=§",
    "https://x.example/v1?api_key=§&q=1", "https://x.example/v1?q=1&access_token=§", "https://x.example/b?sv=2024&sig=§",
    "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=§;EndpointSuffix=core.windows.net",
    "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=§", "InstrumentationKey=0;ApiKey=§",
    "tool --token § run", "tool --token=§", "tool --api-key '§'", "tool --client-secret=§", "vault login -token=§",
    "curl -H 'Authorization: Bearer §' x", "curl -H \"Authorization: Token §\" x", "curl -H 'Authorization: §' x",
    "Authorization: Bearer §", "\"Authorization\": \"Bearer §\"", "authorization: 'Bearer §'", "headers[\"Authorization\"] = \"Bearer §\"",
    "curl -H 'X-Api-Key: §' x", "X-Auth-Token: §", "curl -H \"PRIVATE-TOKEN: §\" x", "xc-token: §", "\"x-api-key\": \"§\"",
    "Cookie: theme=dark; session=§; lang=en", "Set-Cookie: sid=§; Path=/; HttpOnly", "curl -b 'sessionid=§' x",
    "curl --cookie 'JSESSIONID=§' x", "Set-Cookie: connect.sid=s%3A§; Path=/", "\"Cookie\": \"auth=§\"", "PHPSESSID=§",
    "//registry.npmjs.org/:_authToken=§", "_auth=§", "<apiKey>§</apiKey>", "<add key=\"x\"/><token>§</token>", "bearer §", "my api key is §", "the token is `§`",
    "private_key_id: x, private_key: \"§\"", "app.secret=§", "aws_session_token = §", "\"aws_secret_access_key\": \"§\"",
    "gh secret set NPM_TOKEN --body §", "heroku config:set STRIPE_SECRET=§", "npm config set //r/:_authToken §",
    "encryption_key = '§'", "SIGNING_KEY=§", "webhook_secret: §", "hmac_key: \"§\"", "license_key=§", "refresh_token=§",
    "api_key%3D§%26x", "{\\\"token\\\":\\\"§\\\"}", "token\\u003d§\\u0026x", "'secret' => '§'", "\"auth\": \"§\"", "signature=§",
    "tool --secret \"§\"", "personal_access_token: §", "AZURE_DEVOPS_EXT_PAT=§", "fernet_key = b\"§\"", "master_key: §",
];

#[test]
fn passwords_in_every_surrounding() {
    let mut faults = Vec::new();
    for password in ["hunter22", "Tr0ub4dor&3", "S3cure!Pass", "x7Kq9mPz2v", "P@ssw0rd2024", "blaue.Katze#42"] {
        for carrier in PASSWORDS {
            // A mark that ends the value there is written otherwise by whoever has such a password.
            let needs_quotes = password.contains(['&', '#', '!'])
                && (carrier.contains("://") || carrier.contains('%') || carrier.contains('&'));
            if !needs_quotes {
                faults.extend(
                    surroundings(&carrier.replace('§', password)).iter().filter_map(|text| left(text, password)),
                );
            }
        }
    }
    assert_none(faults);
}

#[test]
fn secrets_in_every_surrounding() {
    let (mut chance, mut faults) = (Chance(5), Vec::new());
    for carrier in SECRETS {
        for (alphabet, length) in [(ALNUM, 24), (ALNUM, 40), (HEX, 32), (HEX, 64), (BASE64, 44), (ALNUM, 64)] {
            let secret = chance.text(alphabet, length);
            // What reads as a path or an encoded sign is not taken for one where it stands in an address.
            if carrier.contains("://") && alphabet == BASE64 {
                continue;
            }
            faults.extend(surroundings(&carrier.replace('§', &secret)).iter().filter_map(|text| left(text, &secret)));
        }
    }
    assert_none(faults);
}

fn left(text: &str, secret: &str) -> Option<String> {
    let redacted = checked(text);
    is_left(&redacted.text, secret).then(|| format!("{text:?}\n    {:?}", redacted.text))
}

/// Lines of base64 as long as PEM has them.
fn lines(chance: &mut Chance, count: usize) -> Vec<String> {
    let mut lines: Vec<String> = (0..count).map(|_| chance.text(BASE64, 64)).collect();
    lines.push(format!("{}==", chance.text(BASE64, 22)));
    lines
}

#[test]
fn private_keys_however_they_are_written() {
    let (mut chance, mut faults) = (Chance(6), Vec::new());
    for label in [
        "PRIVATE KEY",
        "RSA PRIVATE KEY",
        "EC PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "ENCRYPTED PRIVATE KEY",
        "PGP PRIVATE KEY BLOCK",
    ] {
        let lines = lines(&mut chance, 6);
        let (begin, end) = (format!("-----BEGIN {label}-----"), format!("-----END {label}-----"));
        let written = [
            format!("{begin}\n{}\n{end}\n", lines.join("\n")),
            format!("{begin}\r\n{}\r\n{end}\r\n", lines.join("\r\n")),
            format!("{begin} {} {end}", lines.join(" ")),
            format!("{begin}{}{end}", lines.concat()),
            format!("{begin}\\n{}\\n{end}\\n", lines.join("\\n")),
            format!("{begin}%0A{}%0A{end}", lines.join("%0A")),
            format!("key: |\n  {begin}\n  {}\n  {end}\n", lines.join("\n  ")),
            format!("> {begin}\n> {}\n> {end}\n", lines.join("\n> ")),
            format!("\"{begin}\\n\" +\n    \"{}\\n\" +\n    \"{end}\";", lines.join("\\n\" +\n    \"")),
            format!("{begin}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B2C3D\n\n{}\n{end}", lines.join("\n")),
            format!("{begin}\nVersion: GnuPG v2\nComment: x\n\n{}\n=aB3d\n{end}", lines.join("\n")),
            // Cut: no end, no last line, no beginning, within a line.
            format!("cat key\n{begin}\n{}", lines.join("\n")),
            format!("{begin}\n{}", &lines.join("\n")[..100]),
            format!("{{\"private_key\": \"{begin}\\n{}", lines[..3].join("\\n")),
            format!("{}\n{end}\nand so on", lines.join("\n")),
            format!("{}\\n{end}\\n\", \"client_email\": \"x\"", lines.join("\\n")),
        ];
        for text in written {
            let redacted = checked(&text);
            if redacted.found != ["private_key"] || lines.iter().any(|line| is_left(&redacted.text, line)) {
                faults.push(format!("{:?} {text:?}\n    {:?}", redacted.found, redacted.text));
            }
        }
    }
    assert_none(faults);
}

#[test]
fn a_key_of_putty() {
    let lines = lines(&mut Chance(7), 4);
    let text = format!("PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 5\n{}\nPrivate-MAC: x\n", lines.join("\n"));
    let redacted = checked(&text);
    assert!(lines.iter().all(|line| !is_left(&redacted.text, line)), "{}", redacted.text);
    assert!(redacted.text.ends_with("Private-MAC: x\n"), "{}", redacted.text);
}

/// What follows a key that was cut stays readable, if it is no base64.
#[test]
fn prose_behind_a_cut_key_stays() {
    let lines = lines(&mut Chance(8), 2);
    let text = format!("-----BEGIN PRIVATE KEY-----\n{}\n{}\n\nSo (as you see) the key is there.", lines[0], lines[1]);
    assert!(checked(&text).text.ends_with("So (as you see) the key is there."), "{}", checked(&text).text);
}
