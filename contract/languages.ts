export const languages = ['en', 'zh', 'es', 'ja'] as const
export type Language = (typeof languages)[number]

/** The field with a record's name in each language. */
export const nameFields = { en: 'NameEn', zh: 'NameZh', es: 'NameEs', ja: 'NameJa' } as const satisfies Record<Language, string>

/** The supported language of a tag such as `es-MX` or `es_MX.UTF-8`, if any. */
export const languageOfTag = (tag: string | null | undefined): Language | undefined => {
  const primary = tag?.toLowerCase().split(/[-_.@]/)[0]
  return languages.find((l) => l === primary)
}

/** The first supported language in order of preference, or else Chinese (specification, section 1). */
export const firstLanguage = (...preferences: readonly (string | null | undefined)[]): Language => {
  for (const tag of preferences) {
    const language = languageOfTag(tag)
    if (language) return language
  }
  return 'zh'
}
