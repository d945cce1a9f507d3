import type { Language } from './languages.ts'

const rules = new Map<Language, Intl.PluralRules>()
const ruleOf = (language: Language) => rules.get(language) ?? new Intl.PluralRules(language)

const categoryOf = (language: Language, count: unknown): string => {
  if (typeof count !== 'number') return 'other'
  const rule = ruleOf(language)
  rules.set(language, rule)
  return rule.select(count)
}

/**
 * The key of a text for a count: `x_one` or `x_other` where a language has these forms, else `x`.
 * Forms without a text, such as `many` in Spanish, fall back to `other`.
 */
export const pluralKey = (language: Language, key: string, values: Record<string, unknown>, has: (key: string) => boolean): string =>
  [`${key}_${categoryOf(language, values.count ?? values.Count)}`, `${key}_other`].find(has) ?? key

/** The forms that each text with a count needs in a language. */
export const pluralForms: Record<Language, readonly string[]> = { en: ['one', 'other'], es: ['one', 'other'], zh: ['other'], ja: ['other'] }
