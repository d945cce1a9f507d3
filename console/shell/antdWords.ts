import type { Locale } from 'antd/es/locale/index.js'
import { useEffect, useState } from 'react'
import type { Language } from '../../contract/languages.ts'

// Bundlers unwrap the default export, contrary to the types of a CommonJS package.
type Module = { default: Locale | { default: Locale } }
const files: Record<Language, () => Promise<Module>> = {
  en: () => import('antd/es/locale/en_US.js'),
  zh: () => import('antd/es/locale/zh_CN.js'),
  es: () => import('antd/es/locale/es_ES.js'),
  ja: () => import('antd/es/locale/ja_JP.js'),
}

const inside = ({ default: found }: Module): Locale => ('default' in found ? found.default : found)

const read: Partial<Record<Language, Locale>> = {}
export const readAntdWords = async (language: Language) => {
  read[language] ??= inside(await files[language]())
  return read[language]
}

/** Ant Design's own words. They load with the first use of a language and are undefined until then. */
export const useAntdWords = (language: Language) => {
  const [locale, setLocale] = useState(read[language])
  useEffect(() => {
    let current = true
    void readAntdWords(language).then((found) => current && setLocale(found))
    return () => {
      current = false
    }
  }, [language])
  return locale
}
