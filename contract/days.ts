// Calendar days as `YYYY-MM-DD`, without a time zone.

export const dayMs = 86_400_000
/** Whether a text is a day that exists. */
export const isDay = (text: unknown): text is string => {
  const at = Date.parse(`${text}T00:00:00Z`)
  return Number.isFinite(at) && new Date(at).toISOString().slice(0, 10) === text
}
/** Days since 1970. */
export const dayNumber = (day: string) => Date.parse(`${day}T00:00:00Z`) / dayMs
export const dayOf = (number: number) => new Date(number * dayMs).toISOString().slice(0, 10)
