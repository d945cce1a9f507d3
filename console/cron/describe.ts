import cronstrue from 'cronstrue'
import 'cronstrue/locales/es.js'
import 'cronstrue/locales/ja.js'
import 'cronstrue/locales/zh_CN.js'
import type { Language } from '../../contract/languages.ts'

const locales: Record<Language, string> = { en: 'en', zh: 'zh_CN', es: 'es', ja: 'ja' }

/** One space between a number and Chinese or Japanese, as in all words. */
const spaced = (text: string) =>
  text.replace(/(?<=[\p{Script=Han}\p{Script=Hiragana}])(?=\d)|(?<=\d)(?=[\p{Script=Han}\p{Script=Hiragana}])/gu, ' ')

/** Corrects texts of the library: working days in Spanish, particles and spaces in Japanese, spaces in Chinese. */
const mended: Partial<Record<Language, (text: string) => string>> = {
  es: (text) =>
    text
      .replaceAll('último día de la semana', 'último día laborable')
      .replaceAll('primer día de la semana', 'primer día laborable')
      .replaceAll('día de la semana más próximo', 'día laborable más próximo')
      .replaceAll('primero lunes', 'primer lunes')
      .replace(/\b(prim|terc)ero (?=lunes|martes|miércoles|jueves|viernes|sábado|domingo)/g, '$1er ')
      .replaceAll('sólo', 'solo'),
  zh: (text) =>
    spaced(text.replace(/(?<=\p{Script=Han}) +(?=[\p{Script=Han}\d])|(?<=\d) +(?=\p{Script=Han})/gu, '').replaceAll(', ', '，')),
  ja: (text) =>
    spaced(
      text
        .replace(/次において実施/g, '')
        .replace(/次に月のうち/g, '月の')
        .replace(/次の(?=最終日)/g, '月の')
        .replace(/(?<=\d{2}:\d{2}(:\d{2})?)(?=[^:\d、,\s])/gu, '、')
        .replace(/日目/g, '日')
        .replace(/ (番目|日) ?(?=\p{Script=Han})/gu, ' $1の')
        .replace(/(?<=[\p{Script=Han}\p{Script=Hiragana}、]) +| +(?=[\p{Script=Han}\p{Script=Hiragana}、])/gu, '')
        .replace(/, ?、?/g, '、')
        .replace(/にのみ/g, 'のみ')
        .replace(/に$/, ''),
    ),
}

/** A valid expression in words of a language. */
export const describeCron = (expression: string, language: Language): string => {
  const text = cronstrue.toString(expression.trim().toUpperCase(), {
    locale: locales[language],
    dayOfWeekStartIndexZero: false,
    use24HourTimeFormat: true,
    throwExceptionOnParseError: false,
  })
  return mended[language]?.(text) ?? text
}
