import type { Language } from '../../../../../contract/languages.ts'

/** A text in each language; the seed stores the company's language. */
export type Words = Readonly<Record<Language, string>>
export const say = (en: string, zh: string, es: string, ja: string): Words => ({ en, zh, es, ja })

/** Hashes numbers to a share in [0, 1), so that every start on the same day seeds the same data. */
export const shareOf = (...numbers: readonly number[]) => {
  let hash = 2_166_136_261
  for (const n of numbers) {
    hash = Math.imul(hash ^ (n % 4_294_967_296), 16_777_619) >>> 0
    hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_519) >>> 0
  }
  return ((hash ^ (hash >>> 13)) >>> 0) / 4_294_967_296
}
