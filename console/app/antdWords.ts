import type { Locale } from 'antd/es/locale/index.js'
import { useEffect, useState } from 'react'
import type { Language } from '../../contract/index.ts'

// A bundler hands over the default export itself, the types of a CommonJS package say it is inside.
type Module = { default: Locale | { default: Locale } }
const files: Record<Language, () => Promise<Module>> = {
  en: () => import('antd/es/locale/en_US.js'),
  zh: () => import('antd/es/locale/zh_CN.js'),
  es: () => import('antd/es/locale/es_ES.js'),
  ja: () => import('antd/es/locale/ja_JP.js'),
}

const inside = ({ default: found }: Module): Locale => ('default' in found ? found.default : found)

/** Ant Design's own words, read when a language is used for the first time. */
export const useAntdWords = (language: Language) => {
  const [locale, setLocale] = useState<Locale>()
  useEffect(() => {
    let current = true
    void files[language]().then((m) => current && setLocale(inside(m)))
    return () => {
      current = false
    }
  }, [language])
  return locale
}
