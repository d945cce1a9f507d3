// Briefly tints changed values.
import type { Look } from '../../../../../contract/picture/look.ts'
import type { Kind } from '../../../../../contract/picture/scene.ts'

export const tintMs = 150

const textsOf = (kind: Kind, { shown, rows }: Look): readonly string[] =>
  kind === 'table' ? (rows ?? []).map(({ text }) => text) : kind === 'value' && shown ? [shown.text] : []

export class Tints<K extends { item: { kind: Kind } }> {
  /** End of the tint of each text. */
  readonly #ends = new Map<K, number[]>()

  /** The look after a change: texts that differ are tinted. */
  tinted(of: K, before: Look, look: Look, now: number): Look {
    const { kind } = of.item
    const texts = textsOf(kind, look)
    if (!texts.length) return look
    const old = textsOf(kind, before)
    const ends = texts.map((text, i) => {
      const end = this.#ends.get(of)?.[i] ?? 0
      return old[i] !== undefined && old[i] !== text ? now + tintMs : end
    })
    if (ends.some((end) => end > now)) this.#ends.set(of, ends)
    else this.#ends.delete(of)
    const fresh = (i: number) => ends[i]! > now
    return kind === 'table' ? { ...look, rows: look.rows!.map((row, i) => ({ ...row, fresh: fresh(i) })) } : { ...look, fresh: fresh(0) }
  }
  /** Items whose tint has ended, once each: they are repainted. */
  ended(now: number): K[] {
    return [...this.#ends].flatMap(([of, ends]) => {
      if (!ends.some((end) => end && end <= now)) return []
      const left = ends.map((end) => (end > now ? end : 0))
      if (left.some(Boolean)) this.#ends.set(of, left)
      else this.#ends.delete(of)
      return [of]
    })
  }
}
