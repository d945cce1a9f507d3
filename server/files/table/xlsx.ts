// A workbook as its rows come (ECMA-376: inline strings). What no longer fits into one sheet goes on in the next.
import { constants, crc32, deflateRawSync } from 'node:zlib'
import { strToU8, Zip, ZipDeflate, type ZipInputFile } from 'fflate'
import { openAppending, type TableCells, type TableColumn, type TableFile, type TableOptions, wallClock } from './table.ts'

/** Rows of a sheet, as Excel has them. */
export const sheetRows = 1_048_576
/** Days from the first day of spreadsheets to 1970. */
const epochDays = 25_569
const dayMs = 86_400_000
/** Numbers show at most so many decimals. */
const mostDigits = 10

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }
/** Characters that XML cannot hold are left out. */
export const xmlText = (text: string) =>
  text.replace(/[&<>\r]/g, (c) => names[c]!).replace(/[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
export const columnName = (i: number): string => (i < 26 ? '' : columnName(Math.floor(i / 26) - 1)) + String.fromCharCode(65 + (i % 26))

/** Styles by index: plain, titles, times, then numbers by their decimals. */
const style = { title: 1, time: 2, number: 3 } as const
const formats = (ms: boolean) => [
  `yyyy\\-mm\\-dd\\ hh:mm:ss${ms ? '.000' : ''}`,
  ...Array.from({ length: mostDigits + 1 }, (_, d) => (d ? `0.${'0'.repeat(d)}` : '0')),
]
const stylesOf = (ms: boolean) => {
  const all = formats(ms)
  const declared = all.map((code, i) => `<numFmt numFmtId="${164 + i}" formatCode="${code}"/>`).join('')
  const used = all.map((_, i) => `<xf numFmtId="${164 + i}" fontId="0" applyNumberFormat="1"/>`).join('')
  return `<styleSheet xmlns="${main}"><numFmts count="${all.length}">${declared}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${all.length + 2}"><xf/><xf fontId="1" applyFont="1"/>${used}</cellXfs></styleSheet>`
}

const partsOf = (sheets: number, ms: boolean): Record<string, string> => {
  const each = (of: (n: number) => string) => Array.from({ length: sheets }, (_, i) => of(i + 1)).join('')
  const sheet = (n: number) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${kind}.worksheet+xml"/>`
  const relation = (n: number) => `<Relationship Id="rId${n}" Type="${office}/worksheet" Target="worksheets/sheet${n}.xml"/>`
  return {
    '[Content_Types].xml': `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${kind}.sheet.main+xml"/>${each(sheet)}<Override PartName="/xl/styles.xml" ContentType="${kind}.styles+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${each((n) => `<sheet name="Sheet${n}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packaged}/relationships">${each(relation)}<Relationship Id="rId${sheets + 1}" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': stylesOf(ms),
  }
}

/** A time takes two columns: local time and UTC offset. */
const spread = (columns: readonly TableColumn[], offsetTitle: string) =>
  columns.flatMap((column) => (column.is === 'time' ? [column, { title: offsetTitle, is: 'text' as const }] : [column]))

/** Lines that stay in view: more would leave no room for what they are about. */
const mostFrozen = 12
/** What a sheet begins with; `above`: lines above the titles, which stay in view. */
const headOf = (columns: readonly TableColumn[], above: number) => {
  const widths = columns.map(({ title, is }, i) => {
    const width = is === 'time' ? 22 : Math.min(40, Math.max(10, [...title].length * 1.2 + 3))
    return `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`
  })
  const pane = above < mostFrozen ? `<pane ySplit="${above + 1}" topLeftCell="A${above + 2}" state="frozen"/>` : ''
  const view = `<sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>`
  return `${xml}<worksheet xmlns="${main}">${view}<cols>${widths.join('')}</cols><sheetData>`
}

/** Bytes of a sheet: beyond 4 GB a zip file needs records that not all readers know. */
const sheetBytes = 4e9
const flushAt = 1 << 20

/** A file in the archive that zlib compresses: by fflate, in JavaScript, it takes three times as long. */
const deflating = (filename: string) => {
  let buffer = ''
  const part: ZipInputFile = { filename, size: 0, crc: 0, compression: 8 }
  const push = (isEnd: boolean) => {
    const bytes = Buffer.from(buffer)
    buffer = ''
    part.size += bytes.length
    part.crc = crc32(bytes, part.crc)
    // A piece that ends on a whole byte: pieces one after the other are one stream.
    const finishFlush = isEnd ? constants.Z_FINISH : constants.Z_SYNC_FLUSH
    part.ondata!(null, deflateRawSync(bytes, { level: 1, finishFlush }) as Buffer<ArrayBuffer>, isEnd)
  }
  return {
    part,
    add: (text: string) => {
      buffer += text
      if (buffer.length > flushAt) push(false)
    },
    end: () => push(true),
  }
}

/** `most`: rows of a sheet. */
export const xlsxTable = ({ path, columns, about, spans, offsetTitle, ms }: TableOptions, most = sheetRows): TableFile => {
  const file = openAppending(path)
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    file.write(chunk)
  })
  const clock = wallClock(spans)
  const shown = spread(columns, offsetTitle)
  const letters = shown.map((_, i) => columnName(i))
  const styles = columns.map((c) =>
    c.is === 'time' ? style.time : c.is === 'number' ? style.number + Math.min(mostDigits, Math.max(0, c.digits)) : 0,
  )
  let sheets = 0
  let row = 0
  let sheet: ReturnType<typeof deflating> | undefined

  const textCell = (i: number, text: string, of = 0) =>
    `<c r="${letters[i] ?? columnName(i)}${row}"${of ? ` s="${of}"` : ''} t="inlineStr"><is><t${/^\s|\s$/.test(text) ? ' xml:space="preserve"' : ''}>${xmlText(text)}</t></is></c>`
  const textLine = (texts: readonly string[], of = 0) => {
    row++
    return `<row r="${row}">${texts.map((text, i) => (text === '' ? '' : textCell(i, text, of))).join('')}</row>`
  }
  const numberCell = (letter: string, of: number, value: number) => `<c r="${letter}${row}" s="${of}"><v>${value}</v></c>`
  /** What writes a column's cells of a block from a place of the row on. */
  const cellsOf = (cells: TableCells, i: number): ((place: number) => string) => {
    const at = i + columns.slice(0, i).filter(({ is }) => is === 'time').length
    if (!(cells instanceof Float64Array)) return (place) => (cells[place] == null ? '' : textCell(at, cells[place]))
    const letter = letters[at]!
    if (columns[i]!.is !== 'time') return (place) => (Number.isNaN(cells[place]) ? '' : numberCell(letter, styles[i]!, cells[place]!))
    return (place) => {
      const { wall, offset } = clock(cells[place]!)
      return numberCell(letter, style.time, wall / dayMs + epochDays) + textCell(at + 1, offset)
    }
  }
  const finishSheet = () => {
    sheet?.add('</sheetData></worksheet>')
    sheet?.end()
  }
  const begin = () => {
    finishSheet()
    sheets++
    row = 0
    sheet = deflating(`xl/worksheets/sheet${sheets}.xml`)
    zip.add(sheet.part)
    const above = sheets === 1 && about.length ? about.length + 1 : 0
    sheet.add(headOf(shown, above))
    if (above) {
      for (const said of about) sheet.add(textLine(said))
      row++
    }
    const titles = shown.map(({ title }) => title)
    sheet.add(textLine(titles, style.title))
  }
  begin()
  return {
    write: (block) => {
      const cells = block.columns.map((of, i) => cellsOf(of, i))
      for (let place = 0; place < block.rows; place++) {
        if (row >= most || sheet!.part.size > sheetBytes) begin()
        row++
        let line = `<row r="${row}">`
        for (const cell of cells) line += cell(place)
        sheet!.add(`${line}</row>`)
      }
    },
    close: () => {
      finishSheet()
      for (const [name, text] of Object.entries(partsOf(sheets, ms))) {
        const one = new ZipDeflate(name)
        zip.add(one)
        one.push(strToU8(xml + text), true)
      }
      zip.end()
      file.close()
    },
  }
}
