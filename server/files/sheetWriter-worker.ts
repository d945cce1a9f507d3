// Writes a workbook of one sheet as its rows come (ECMA-376: inline strings, one style for the header); memory holds one part.
import { closeSync, openSync, writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { strToU8, Zip, ZipDeflate } from 'fflate'
import { freezePrototypes } from '../../contract/prototypes.ts'
import { lowerPriority } from '../jobs/lowPriority.ts'

freezePrototypes()
lowerPriority()

type Cell = string | number | boolean | null
type Message = { header: string[] } | { rows: Cell[][] } | { end: true }

const file = openSync((workerData as { path: string }).path, 'w')
const zip = new Zip((error, chunk) => {
  if (error) throw error
  writeSync(file, chunk)
})

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const parts: Record<string, string> = {
  '[Content_Types].xml': `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${kind}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${kind}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${kind}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`,
}
for (const [name, text] of Object.entries(parts)) {
  const part = new ZipDeflate(name)
  zip.add(part)
  part.push(strToU8(xml + text), true)
}
const sheet = new ZipDeflate('xl/worksheets/sheet1.xml', { level: 4 })
zip.add(sheet)

const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }
/** Characters that XML cannot hold are left out. */
const safe = (text: string) =>
  text.replace(/[&<>\r]/g, (c) => names[c]!).replace(/[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
const column = (i: number): string => (i < 26 ? '' : column(Math.floor(i / 26) - 1)) + String.fromCharCode(65 + (i % 26))

let row = 0
const line = (cells: readonly Cell[], style = '') => {
  row++
  const inner = cells.map((cell, i) => {
    if (cell === null || cell === undefined) return ''
    const at = `<c r="${column(i)}${row}"${style}`
    if (typeof cell === 'number') return Number.isFinite(cell) ? `${at}><v>${cell}</v></c>` : ''
    if (typeof cell === 'boolean') return `${at} t="b"><v>${cell ? 1 : 0}</v></c>`
    const text = safe(String(cell))
    return `${at} t="inlineStr"><is><t${/^\s|\s$/.test(text) ? ' xml:space="preserve"' : ''}>${text}</t></is></c>`
  })
  return `<row r="${row}">${inner.join('')}</row>`
}

parentPort!.on('message', (message: Message) => {
  if ('header' in message) {
    const widths = message.header.map((title, i) => {
      const width = Math.min(40, Math.max(10, [...title].length * 1.6 + 3))
      return `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`
    })
    const view = '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews>'
    const head = `<worksheet xmlns="${main}">${view}<cols>${widths.join('')}</cols><sheetData>${line(message.header, ' s="1"')}`
    sheet.push(strToU8(xml + head))
  } else if ('rows' in message) sheet.push(strToU8(message.rows.map((cells) => line(cells)).join('')))
  else {
    sheet.push(strToU8('</sheetData></worksheet>'), true)
    zip.end()
    closeSync(file)
  }
  parentPort!.postMessage('written')
})
