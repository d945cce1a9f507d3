// Fonts of PDFs: one that comes with pdfmake for Latin, Greek and Cyrillic, and one found on the machine for Chinese and Japanese.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type create, type Font, openSync } from 'fontkit'
import type { Language } from '../../../../../contract/languages.ts'

/** Where distributions put Noto Sans CJK. */
const usual = [
  '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc',
  '/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc',
  '/usr/share/fonts/google-noto-cjk/NotoSansCJK-Regular.ttc',
]
const roboto = join(dirname(createRequire(import.meta.url).resolve('pdfmake/package.json')), 'fonts/Roboto')

type Source = string | [path: string, name: string]
export type Fonts = {
  /** As pdfmake takes them. */
  sources: Record<string, { normal: Source; bold: Source; italics: Source; bolditalics: Source }>
  /**
   * Converts Chinese or Japanese text to outlines, since SVG in PDFs cannot use fonts from a collection. `d` starts at 0, 0. Undefined if Latin covers it,
   * unless `always` is set because a neighbouring text needs the other font.
   */
  outline(text: string, size: number, always?: boolean): { d: string; width: number } | undefined
  /** Splits a text into runs by font. `missing`: a character that no font covers. */
  runs(text: string): { text: string; font: string }[] | { missing: string }
}

const isFont = (found: ReturnType<typeof openSync>): found is Font => 'hasGlyphForCodePoint' in found

/** The face of a collection that a language wants. */
const openFace = (path: string, language: Language): { font: Font; source: Source } | undefined => {
  const found = openSync(path)
  if (isFont(found)) return { font: found, source: path }
  const wanted = language === 'ja' ? /JP|jp/ : /SC|sc/
  const face = found.fonts.find((font) => wanted.test(font.postscriptName ?? '')) ?? found.fonts[0]
  return face?.postscriptName ? { font: face, source: [path, face.postscriptName] } : undefined
}

export const openFonts = (given: string | undefined, language: Language): Fonts => {
  const [normal, bold] = [join(roboto, 'Roboto-Regular.ttf'), join(roboto, 'Roboto-Medium.ttf')]
  const latin = openSync(normal)
  const path = given ?? usual.find(existsSync)
  const wide = path && existsSync(path) ? openFace(path, language) : undefined
  const has = (font: ReturnType<typeof create> | undefined, code: number) =>
    font !== undefined && isFont(font) && font.hasGlyphForCodePoint(code)
  const fontOf = (c: string) => {
    const code = c.codePointAt(0)!
    if (/\s/.test(c) || has(latin, code)) return 'Latin'
    return has(wide?.font, code) ? 'Wide' : undefined
  }
  return {
    sources: {
      Latin: { normal, bold, italics: normal, bolditalics: bold },
      ...(wide ? { Wide: { normal: wide.source, bold: wide.source, italics: wide.source, bolditalics: wide.source } } : {}),
    },
    outline: (text, size, always = false) => {
      if (!wide || (!always && [...text].every((c) => fontOf(c) !== 'Wide'))) return
      const { glyphs, positions } = wide.font.layout(text)
      const scale = size / wide.font.unitsPerEm
      let [x, d] = [0, '']
      for (const [i, { path }] of glyphs.entries()) {
        d += path.scale(scale, -scale).translate(x, 0).toSVG()
        x += positions[i]!.xAdvance * scale
      }
      return { d, width: x }
    },
    runs: (text) => {
      const runs: { text: string; font: string }[] = []
      for (const c of text) {
        const font = fontOf(c)
        if (!font) return { missing: c }
        const last = runs.at(-1)
        if (last?.font === font) last.text += c
        else runs.push({ text: c, font })
      }
      return runs
    },
  }
}
