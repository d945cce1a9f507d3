import i18next from 'i18next'
import { useSyncExternalStore } from 'react'
import { firstLanguage, type Language } from '../../contract/languages.ts'
import { pluralKey } from '../../contract/plural.ts'
import { withShared } from '../../contract/shared-words.ts'

/** The text of a key, with `{name}` filled in. A key without words is returned unchanged. */
export type Words = (key: string, values?: Record<string, unknown>) => string

export const languages: Record<Language, string> = { zh: '中文', en: 'English', es: 'Español', ja: '日本語' }

/** One file per language: hundreds of small files would slow a first visit. */
const files: Record<Language, () => Promise<{ default: Record<string, string> }>> = {
  zh: () => import('./all/zh.ts'),
  en: () => import('./all/en.ts'),
  es: () => import('./all/es.ts'),
  ja: () => import('./all/ja.ts'),
}

const load = async (language: Language) => {
  if (i18next.hasResourceBundle(language, 'translation')) return
  i18next.addResourceBundle(language, 'translation', withShared((await files[language]()).default), false, false, {
    silent: true,
    skipCopy: true,
  })
}

/** Stored languages: the account's, the one chosen in this browser, and that of the opened company link. */
const places = { account: 'penstock.accountLanguage', chosen: 'penstock.language', company: 'penstock.companyLanguage' }
type Source = keyof typeof places

/** Ruling 51. A default is not stored, since it is not a choice. */
const preferred = (): Language =>
  firstLanguage(...Object.values(places).map((place) => localStorage.getItem(place)), ...(navigator.languages ?? []))

/** Before the words have loaded: the language they will have. */
export const language = () => (i18next.language as Language | undefined) ?? preferred()

let queue: Promise<unknown> = Promise.resolve()
/** Switches the language. Changes run in sequence, so that the last one wins. */
export const applyLanguage = (next: Language) => {
  const change = queue.then(async () => {
    await load(next)
    if (i18next.language !== next) await i18next.changeLanguage(next)
    if (typeof document !== 'undefined') document.documentElement.lang = next
  })
  queue = change.catch(() => undefined)
  return change
}

/** Stores or clears a preference, then switches to the resulting language. An equal preference changes nothing. */
export const rememberLanguage = async (of: Source, preference: string | null | undefined) => {
  if ((preference || null) === localStorage.getItem(places[of])) return
  if (preference) localStorage.setItem(places[of], preference)
  else localStorage.removeItem(places[of])
  await applyLanguage(preferred())
}

export const startWords = async () => {
  await i18next.init({
    resources: {},
    keySeparator: false,
    nsSeparator: false,
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
  })
  await applyLanguage(preferred())
}

/** We choose plural forms ourselves: i18next uses only `count` and has no form for counts given as text. */
export const words: Words = (name, values) =>
  String(i18next.t(values ? pluralKey(language(), name, values, (key) => i18next.exists(key)) : name, { ...values }))

/** Lists look up the same few words thousands of times: words without values are cached. */
const speaking = (): Words => {
  const said = new Map<string, string>()
  return (name, values) => {
    if (values) return words(name, values)
    const held = said.get(name) ?? words(name)
    said.set(name, held)
    return held
  }
}
let spoken = speaking()
const listeners = new Set<() => void>()
i18next.on('languageChanged', () => {
  spoken = speaking()
  for (const listener of listeners) listener()
})
const listen = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const onLanguage = listen

/** Words that follow the language. */
export const useWords = (): Words => useSyncExternalStore(listen, () => spoken)

export const hasWords = (name: string) => i18next.exists(name) || i18next.exists(`${name}_other`)

/** A noun inside a sentence: without capitals in languages that have them. Names such as DingTalk and SMS keep theirs. */
export const lower = (noun: string) =>
  noun.replace(/\p{L}+/gu, (word) => (/^.\p{Ll}*$/u.test(word) ? word.toLocaleLowerCase(language()) : word))
