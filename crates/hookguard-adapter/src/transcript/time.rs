//! Times as transcripts write them: `2026-11-30T05:43:41.498Z`.

/// The time in milliseconds since 1970 (UTC); `None` where it is written otherwise.
pub fn milliseconds(text: &str) -> Option<u64> {
    let (day, time) = text.strip_suffix('Z')?.split_once('T')?;
    let number = |text: &str| -> Option<u64> {
        (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
    };
    let mut parts = day.split('-').map(number);
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let mut parts = time.split(':').map(number);
    let (hour, minute, second) = (parts.next()??, parts.next()??, parts.next()??);
    let sane = (1970..10_000).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    if !sane || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let fraction: String = fraction.chars().chain("000".chars()).take(3).collect();
    // Days before a month, in years that begin with March, so that the odd day of a leap year is the last one.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
    const DAYS_BEFORE_1970: u64 = 719_468;
    let seconds = ((days.checked_sub(DAYS_BEFORE_1970)? * 24 + hour) * 60 + minute) * 60 + second;
    Some(seconds * 1000 + number(&fraction)?)
}

#[cfg(test)]
mod tests {
    use super::milliseconds;

    #[test]
    fn times_are_read() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2026-11-30T05:43:41.498Z", Some(1_796_017_421_498)),
            ("2024-02-29T23:59:59.9Z", Some(1_709_251_199_900)),
            ("2000-03-01T00:00:00.123456Z", Some(951_868_800_123)),
            ("2026-11-30", None),
            ("2026-13-30T05:43:41Z", None),
            ("1969-12-31T05:43:41Z", None),
            ("2026-11-30T05:43:41+01:00", None),
            ("xT:Z", None),
            ("", None),
        ] {
            assert_eq!(milliseconds(text), expected, "{text}");
        }
    }
}
