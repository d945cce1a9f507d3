/**
 * The first `most` UTF-16 units of a text, without half a character at the end: PostgreSQL refuses a lone surrogate in JSON
 * (RFC 8259, section 8.2).
 */
export const shortened = (text: string, most: number) => {
  const cut = text.slice(0, most)
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut
}

/** `alarmInfo` -> `alarm_info`: names of tables and metrics. */
export const snakeCase = (name: string) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)
