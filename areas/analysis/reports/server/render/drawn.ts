// Charts, histograms and pictures of the plant in PDFs.
import type { Content } from 'pdfmake'
import type { Language } from '../../../../../contract/languages.ts'
import { svgText } from '../../../../../contract/picture/tree.ts'
import { Fault } from '../../../../../server/http/faults.ts'
import { word } from '../../../../../server/http/words.ts'
import type { Part, ReportDocument, Spread } from '../../blocks.ts'
import { isWithoutReadings, namesOf, paint } from '../../chart.ts'
import { type Canvas, paperColours, type Shape } from '../../drawing.ts'
import { paintSpread } from '../../spread.ts'
import { momentText } from '../../text.ts'
import type { Fonts } from './fonts.ts'
import { roomOf } from './page.ts'
import { onPaper } from './picture.ts'

export const soft = '#5a6472'
export const line = '#d5dae0'
/** Shapes as SVG; texts are of fonts that have their characters. */
const svgOf = (shapes: readonly Shape[], { width, height }: { width: number; height: number }, fonts: Fonts) => {
  const safe = (text: string | number) =>
    String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!)
  const one = ({ tag, at, text }: Shape) => {
    const attributes = Object.entries(at).map(([name, value]) => ` ${name}="${safe(value)}"`)
    if (text === undefined) return `<${tag}${attributes.join('')}/>`
    runsOf(fonts, text)
    const drawn = fonts.outline(plain(text), Number(at['font-size']))
    if (!drawn) return `<text font-family="Latin"${attributes.join('')}>${safe(text)}</text>`
    const left = { end: drawn.width, middle: drawn.width / 2 }[String(at['text-anchor'])] ?? 0
    return `<path fill="${safe(at.fill ?? '#000')}" transform="translate(${Number(at.x) - left} ${Number(at.y)})" d="${drawn.d}"/>`
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${shapes.map(one).join('')}</svg>`
}

/** Control and format characters are not printable. */
const plain = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, '')
export const runsOf = (fonts: Fonts, text: string) => {
  const runs = fonts.runs(plain(text))
  if ('missing' in runs) throw new Fault('reportNoFont', { text: runs.missing })
  return runs
}

/** Between two histograms side by side. */
const gap = 14

type Drawn = Extract<Part, { Is: 'chart' | 'histogram' | 'picture' }>
export const drawnParts = (document: ReportDocument, language: Language, fonts: Fonts, heading: (text: string) => Content[]) => {
  const { chart: size, picture: fit } = roomOf(document)
  const t = (text: string) => runsOf(fonts, text)
  const number = (value: number) =>
    new Intl.NumberFormat(language, { maximumFractionDigits: 4, notation: Math.abs(value) >= 1e5 ? 'compact' : 'standard' }).format(value)
  const lookOf = (of: { width: number; height: number }): Canvas => ({
    ...{ ...of, colours: paperColours, text: '#333a42', grid: line, number },
  })
  const chart = (part: Extract<Part, { Is: 'chart' }>): Content[] => {
    if (isWithoutReadings(part))
      return [...heading(part.Title), { text: t(`${namesOf(part)}${word(language, 'explore.noData')}`), color: soft }]
    const time = (at: number, ms: number) =>
      momentText(at, document.TimeZone).slice(ms > 3 * 86_400_000 ? 0 : 5, ms > 3 * 86_400_000 ? 10 : 16)
    const shapes = paint(part, { ...lookOf(size), time })
    return [{ stack: [...heading(part.Title), { svg: svgOf(shapes, size, fonts), width: size.width }], unbreakable: true }]
  }
  const spread = (of: Spread, width: number): { stack: Content[]; width: number } => {
    const box = { width, height: Math.round(size.height * 0.75) }
    const unit = [of.Unit && `(${of.Unit})`, `· ${word(language, 'chart.shareOfTime')}`].filter(Boolean).join(' ')
    return {
      stack: [
        { text: t(`${of.Name} ${unit}`), fontSize: 8, margin: [0, 2, 0, 2] },
        ...(of.Shares.length ? [{ svg: svgOf(paintSpread(of, lookOf(box)), box, fonts), width }] : []),
        ...(of.Note ? [{ text: t(of.Note), color: soft, fontSize: 8 }] : []),
      ],
      width,
    }
  }
  /** Two side by side, one alone over the whole width. */
  const histogram = ({ Title, Spreads, More }: Extract<Part, { Is: 'histogram' }>): Content[] => {
    if (!Spreads.length && !More) return [...heading(Title), { text: t(word(language, 'report.nothing')), color: soft }]
    const width = Spreads.length > 1 ? (size.width - gap) / 2 : size.width
    const rows = Array.from({ length: Math.ceil(Spreads.length / 2) }, (_, i) => Spreads.slice(2 * i, 2 * i + 2))
    return [
      ...rows.map(
        (of, i): Content => ({
          stack: [...(i ? [] : heading(Title)), { columns: of.map((one) => spread(one, width)), columnGap: gap }],
          unbreakable: true,
        }),
      ),
      ...(More ? [{ text: t(word(language, 'report.morePoints', { count: More })), color: soft } as Content] : []),
    ]
  }
  const picture = ({ Title, Drawn }: Extract<Part, { Is: 'picture' }>): Content[] => {
    const svg = svgText(onPaper(Drawn, fonts, (text) => runsOf(fonts, text)))
    return [{ stack: [...heading(Title), { svg, fit }], unbreakable: true }]
  }
  return (part: Drawn): Content[] => (part.Is === 'chart' ? chart(part) : part.Is === 'histogram' ? histogram(part) : picture(part))
}
