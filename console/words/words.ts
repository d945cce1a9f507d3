import i18next from 'i18next'
import { useCallback } from 'react'
import { initReactI18next, useTranslation } from 'react-i18next'
import type { Language } from '../../contract/index.ts'

/** Text of a key, with `{name}` filled in. A key without words comes back as it is. */
export type Words = (key: string, values?: Record<string, unknown>) => string

export const languages: Record<Language, string> = { zh: '中文', en: 'English', es: 'Español', ja: '日本語' }

const key = 'penstock.language'
const files = import.meta.glob<Record<string, string>>(
  [
    './words.*.json',
    '../*/words.*.json',
    '../areas/*/words.*.json',
    '../../contract/areas/*.words.*.json',
    '../../contract/base/*.words.*.json',
  ],
  { import: 'default' },
)

const load = async (language: Language) => {
  if (i18next.hasResourceBundle(language, 'translation')) return
  const parts = await Promise.all(
    Object.entries(files)
      .filter(([path]) => path.endsWith(`words.${language}.json`))
      .map(([, read]) => read()),
  )
  i18next.addResourceBundle(language, 'translation', Object.assign({}, ...parts))
}

const known = (language: string | null): language is Language => language !== null && language in languages

export const language = () => i18next.language as Language

export const setLanguage = async (next: Language) => {
  await load(next)
  localStorage.setItem(key, next)
  await i18next.changeLanguage(next)
  document.documentElement.lang = next
}

/** Reads the saved language, else Chinese (specification, section 9). */
export const startWords = async () => {
  const saved = localStorage.getItem(key)
  await i18next.use(initReactI18next).init({
    resources: {},
    keySeparator: false,
    nsSeparator: false,
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
    react: { useSuspense: false },
  })
  await setLanguage(known(saved) ? saved : 'zh')
}

export const words: Words = (name, values) => String(i18next.t(name, { ...values }))

/** Words that follow the language. */
export const useWords = (): Words => {
  const { t } = useTranslation()
  return useCallback((name, values) => String(t(name, { ...values })), [t])
}

export const hasWords = (name: string) => i18next.exists(name)

/** A noun inside a sentence: without its capital, where a language has them. */
export const lower = (noun: string) => noun.toLocaleLowerCase(language())
