//! Times as people write and read them, in UTC as the log's files are named.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// `2026-11-30 08:04:44`
pub(crate) fn shown(milliseconds: u64) -> String {
    let time = i64::try_from(milliseconds).ok().and_then(|ms| Timestamp::from_millisecond(ms).ok());
    time.map_or_else(
        || "?".to_owned(),
        |time| TimeZone::UTC.to_datetime(time).strftime("%Y-%m-%d %H:%M:%S").to_string(),
    )
}

/// The day (UTC) of a time.
pub(super) fn of(milliseconds: u64) -> Option<Date> {
    let time = Timestamp::from_millisecond(i64::try_from(milliseconds).ok()?).ok()?;
    Some(TimeZone::UTC.to_datetime(time).date())
}

/// When `--since` begins, in milliseconds since 1970: `90s`, `30m`, `1h`, `2d`, `1w` ago, a day, or a time as RFC 3339 has it.
pub(crate) fn since(text: &str, now: u64) -> Option<u64> {
    if let Ok(day) = text.parse::<Date>()
        && !text.contains(['T', ' ', ':'])
    {
        return u64::try_from(TimeZone::UTC.to_timestamp(day.at(0, 0, 0, 0)).ok()?.as_millisecond()).ok();
    }
    if let Ok(time) = text.parse::<Timestamp>() {
        return u64::try_from(time.as_millisecond()).ok();
    }
    let digits = text.find(|char: char| !char.is_ascii_digit())?;
    let number: i64 = text[..digits].parse().ok()?;
    let seconds = match text[digits..].trim() {
        "s" | "sec" | "second" | "seconds" => 1,
        "m" | "min" | "minute" | "minutes" => 60,
        "h" | "hour" | "hours" => 3_600,
        "d" | "day" | "days" => 86_400,
        "w" | "week" | "weeks" => 7 * 86_400,
        _ => return None,
    };
    let ago = SignedDuration::from_secs(number.checked_mul(seconds)?);
    Some(now.saturating_sub(u64::try_from(ago.as_millis()).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_write_times_in_several_ways() {
        const NOW: u64 = 1_796_025_884_000; // 2026-11-30 08:04:44
        for (text, expected) in [
            ("90s", Some("2026-11-30 08:03:14")),
            ("1h", Some("2026-11-30 07:04:44")),
            ("2d", Some("2026-11-28 08:04:44")),
            ("1 week", Some("2026-11-23 08:04:44")),
            ("2026-11-29", Some("2026-11-29 00:00:00")),
            ("2026-11-29T10:00:00Z", Some("2026-11-29 10:00:00")),
            ("2026-11-29T10:00:00+02:00", Some("2026-11-29 08:00:00")),
            ("yesterday", None),
            ("h", None),
            ("", None),
            ("99999999999999999999h", None),
        ] {
            assert_eq!(since(text, NOW).map(shown).as_deref(), expected, "{text}");
        }
    }
}
