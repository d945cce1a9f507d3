import pdfmake, { type Content, type CustomTableLayout, type TableCell } from 'pdfmake'
import { numberText, shareText } from '../../../../../contract/formats.ts'
import type { Language } from '../../../../../contract/languages.ts'
import { word } from '../../../../../server/http/words.ts'
import type { Part, ReportDocument } from '../../blocks.ts'
import { cellText, momentText } from '../../text.ts'
import { drawnParts, line, runsOf, soft } from './drawn.ts'
import { type Fonts, openFonts } from './fonts.ts'
import { pageOf, roomOf } from './page.ts'
import { factsOf, versionOf } from './texts.ts'

/** Characters of texts that take no more room than they need. */
const shortText = 18
/** Long texts share the room; where there are none, numbers do, otherwise the last text has it. */
const widthsOf = (columns: Extract<Part, { Is: 'table' }>['Columns'], rows: Extract<Part, { Is: 'table' }>['Rows']) => {
  const isLong = columns.map(({ Is }, i) => Is === 'text' && rows.some((row) => String(row[i] ?? '').length > shortText))
  const isText = columns.map(({ Is }) => Is === 'text')
  const isNumber = columns.map(({ Is }) => Is === 'number' || Is === 'percent' || Is === 'duration')
  const last = columns.map((_, i) => i === isText.lastIndexOf(true))
  const shares = isLong.includes(true) ? isLong : isNumber.includes(true) ? isNumber : last
  return shares.map((does) => (does ? '*' : 'auto'))
}

const layoutOf = (document: ReportDocument, language: Language, fonts: Fonts) => {
  const t = (text: string) => runsOf(fonts, text)
  const of = { TimeZone: document.TimeZone, language }
  const heading = (text: string): Content[] => (text ? [{ text: t(text), style: 'heading' }] : [])
  const room = roomOf(document)
  const drawn = drawnParts(document, language, fonts, heading)
  /** Renders the heading as a table header row, so it repeats on every page and is never orphaned. */
  const headingRow = (text: string, columns: number): TableCell[] => [
    { text: t(text), style: 'heading', colSpan: columns, margin: [-4, 12, 0, 5] },
    ...Array.from({ length: columns - 1 }, (): TableCell => ({ text: '' })),
  ]
  const table = ({ Title, Columns, Rows, More }: Extract<Part, { Is: 'table' }>): Content[] => {
    if (!Rows.length) return [...heading(Title), { text: t(word(language, 'report.nothing')), color: soft }]
    const isNumber = Columns.map(({ Is }) => Is === 'number' || Is === 'percent' || Is === 'duration')
    const head = Columns.map(({ Title }, i): TableCell => ({ text: t(Title), style: 'th', alignment: isNumber[i] ? 'right' : 'left' }))
    const body = Rows.map((row) =>
      row.map(
        (cell, i): TableCell => ({
          text: t(cellText(cell, Columns[i]!, of)),
          alignment: isNumber[i] ? 'right' : 'left',
          noWrap: Columns[i]!.Is === 'time',
        }),
      ),
    )
    const widths = widthsOf(Columns, Rows)
    const headings = Title ? [headingRow(Title, Columns.length)] : []
    return [
      {
        table: { headerRows: headings.length + 1, keepWithHeaderRows: 1, widths, body: [...headings, head, ...body], dontBreakRows: true },
        layout: Title ? 'titled' : 'ruled',
        fontSize: room.tableFontSize(Columns.length),
      },
      ...(More ? [{ text: t(word(language, 'report.more', { count: More })), color: soft } as Content] : []),
    ]
  }
  const figures = ({ Title, Figures }: Extract<Part, { Is: 'figures' }>): Content[] => {
    const tile = (f: (typeof Figures)[number]): TableCell => ({
      stack: [
        { text: t(f.Name), color: soft, fontSize: 8 },
        {
          text: t(f.Value === null ? '–' : `${numberText(f.Value, f.Digits, language)}${f.Unit ? ` ${f.Unit}` : ''}`),
          fontSize: 15,
          bold: true,
        },
        {
          text: t(f.Coverage === null ? '' : word(language, 'report.covered', { share: shareText(f.Coverage, language) })),
          color: soft,
          fontSize: 7,
        },
      ],
      margin: [0, 3, 0, 3],
    })
    if (!Figures.length) return [...heading(Title), { text: t(word(language, 'report.nothing')), color: soft }]
    const { tiles } = room
    const rows = Array.from({ length: Math.ceil(Figures.length / tiles) }, (_, i) => Figures.slice(tiles * i, tiles * (i + 1)).map(tile))
    const headings = Title ? [headingRow(Title, tiles)] : []
    const body = [
      ...headings,
      ...rows.map((row) => [...row, ...Array.from({ length: tiles - row.length }, (): TableCell => ({ text: '' }))]),
    ]
    const widths = Array.from({ length: tiles }, () => '*' as const)
    return [
      {
        table: { headerRows: headings.length, keepWithHeaderRows: 1, widths, body, dontBreakRows: true },
        layout: Title ? 'titled' : 'ruled',
      },
    ]
  }
  const content = (part: Part): Content[] => {
    if (part.Is === 'title') return [{ text: t(part.Text), style: 'title' }]
    if (part.Is === 'break') return [{ text: '', pageBreak: 'after' }]
    if (part.Is === 'figures') return figures(part)
    if (part.Is === 'text')
      return [...heading(part.Title), ...part.Text.split('\n').map((line): Content => ({ text: t(line || ' '), margin: [0, 0, 0, 3] }))]
    return part.Is === 'table' ? table(part) : drawn(part)
  }
  return { t, content }
}

/** Lines between rows, the first of them above this one. */
const ruledFrom = (first: number): CustomTableLayout => ({
  hLineWidth: (i) => (i < first ? 0 : 0.5),
  vLineWidth: () => 0,
  hLineColor: () => line,
  paddingLeft: () => 4,
  paddingRight: () => 4,
  paddingTop: () => 2.5,
  paddingBottom: () => 2.5,
})

/** The company's logo, if it has a format that PDFs support. */
const markOf = ({ Logo }: ReportDocument) => (Logo && /^data:image\/(png|jpeg);base64,/.test(Logo) ? Logo : undefined)

const sealTexts = ({ Seal }: ReportDocument) => (Seal ? [Seal.No, `SHA-256 ${Seal.Sha256}`] : [])
const sealed = (document: ReportDocument): Content[] =>
  document.Seal ? [{ qr: sealTexts(document).join('\n'), fit: 46, eccLevel: 'M', width: 56 } as Content] : []

/** Of the last report: the next one is mostly in the same language. */
let opened: { of: string; fonts: Fonts } | undefined
const fontsOf = (path: string | undefined, language: Language) => {
  const of = `${language} ${path ?? ''}`
  if (opened?.of !== of) opened = { of, fonts: openFonts(path, language) }
  return opened.fonts
}

export const pdfOf = async (document: ReportDocument, language: Language, fontPath: string | undefined): Promise<Buffer> => {
  const fonts = fontsOf(fontPath, language)
  const { t, content } = layoutOf(document, language, fonts)
  const mark = markOf(document)
  const facts = factsOf(document, language)
    .map(([name, value]) => `${name}: ${value}`)
    .join('  ·  ')
  const header: Content = {
    columns: [
      ...(mark ? [{ image: mark, fit: [90, 24] as [number, number], width: 100 }] : []),
      { text: t(document.Company), alignment: mark ? 'right' : 'left' },
    ],
    ...{ margin: [40, 20, 40, 0] as [number, number, number, number], fontSize: 8, color: soft },
  }
  // Everything is judged before pages are made: a font that is missing is a refusal.
  const made = t(
    [
      document.Title,
      `${word(language, 'report.made')} ${momentText(document.Made, document.TimeZone)} (${document.TimeZone})`,
      ...versionOf(document, language).map((named) => named.join(' ')),
    ].join(' · '),
  )
  const definition: Parameters<typeof pdfmake.createPdf>[0] = {
    // A fixed date and id make equal reports byte-identical.
    info: { title: document.Title, creator: 'Penstock', producer: 'Penstock', creationDate: new Date(document.Made) },
    ...pageOf(document),
    pageMargins: [40, 52, 40, document.Seal ? 78 : 52],
    defaultStyle: { font: 'Latin', fontSize: roomOf(document).fontSize, lineHeight: 1.15 },
    styles: {
      title: { fontSize: 20, bold: true, margin: [0, 0, 0, 6] },
      heading: { fontSize: 12, bold: true, margin: [0, 12, 0, 5] },
      th: { bold: true, color: soft },
    },
    header,
    footer: (page, pages) => ({
      columns: [
        ...sealed(document),
        { stack: [{ text: made }, ...sealTexts(document).map((text) => ({ text: t(text) }))], width: '*' },
        { text: t(`${page} / ${pages}`), alignment: 'right', width: 60 },
      ],
      ...{ margin: [40, 18, 40, 0] as [number, number, number, number], fontSize: 7, color: soft },
    }),
    content: [{ text: t(facts), color: soft, fontSize: 8, margin: [0, 0, 0, 8] }, ...document.Parts.flatMap(content)],
  }
  pdfmake.setFonts(fonts.sources as never)
  // Nothing outside of the report is read but its fonts.
  const paths = new Set(
    Object.values(fonts.sources).flatMap((of) => Object.values(of).map((one) => (typeof one === 'string' ? one : one[0]))),
  )
  pdfmake.setUrlAccessPolicy(() => false)
  pdfmake.setLocalAccessPolicy((path) => paths.has(path))
  pdfmake.setTableLayouts({ ruled: ruledFrom(1), titled: ruledFrom(2) })
  return pdfmake.createPdf(definition).getBuffer()
}
