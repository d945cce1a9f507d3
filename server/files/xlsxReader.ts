// The first sheet of an xlsx (ECMA-376 part 1, 18.3), read as a stream of XML events: memory holds one chunk and the shared texts.
import { SaxesParser } from 'saxes'
import type { Cell, SheetRow } from '../../contract/cell.ts'
import { Fault } from '../http/faults.ts'
import { sheetLimits } from './sheetLimits.ts'
import { openZip, type Parts, textOf } from './zip.ts'

type Attributes = Record<string, string>
type Events = { open?: (name: string, attributes: Attributes) => void; close?: (name: string) => void; text?: (text: string) => void }

const unreadable = () => new Fault('sheetUnreadable')
/** Some writers give every element a prefix. */
const local = (name: string) => name.slice(name.indexOf(':') + 1)

/** Appends to a cell's text, which is refused while it grows: an escaped one takes much memory to unescape. */
const grown = (text: string, part: string) => {
  if (text.length + part.length > sheetLimits.rawCellCharacters) throw new Fault('tooLarge')
  return text + part
}

/**
 * Reads a part's XML event by event. Yields after each chunk, so that what the events gathered can be handed on. The parser gathers text,
 * attributes and comments until they end, so what does not end is refused.
 */
async function* parseXml(parts: Parts, path: string, { open, close, text }: Events, maxBytes?: number) {
  const part = parts.get(path)
  if (!part) throw unreadable()
  const parser = new SaxesParser()
  // Entities of a file's own are how small files become large ones.
  parser.on('doctype', () => {
    throw unreadable()
  })
  let sinceTag = 0
  parser.on('opentag', (tag) => {
    sinceTag = 0
    open?.(local(tag.name), tag.attributes)
  })
  parser.on('closetag', (tag) => {
    sinceTag = 0
    close?.(local(tag.name))
  })
  if (text) {
    parser.on('text', text)
    parser.on('cdata', text)
  }
  for await (const chunk of textOf(part, maxBytes)) {
    sinceTag += chunk.length
    parser.write(chunk)
    if (sinceTag > sheetLimits.tagCharacters) throw new Fault('tooLarge')
    yield
  }
  parser.close()
}
const readXml = async (...given: Parameters<typeof parseXml>) => {
  for await (const _ of parseXml(...given));
}

/** Targets of a part's relationships by their id, and by the last word of their type. */
const relationsOf = async (parts: Parts, folder: string, name: string) => {
  const [byId, byType] = [new Map<string, string>(), new Map<string, string>()]
  const open: Events['open'] = (tag, { Id = '', Type = '', Target = '' }) => {
    if (tag !== 'Relationship') return
    const path = Target.startsWith('/') ? Target.slice(1) : `${folder}${Target}`
    byId.set(Id, path)
    byType.set(Type.slice(Type.lastIndexOf('/') + 1), path)
  }
  await readXml(parts, `${folder}_rels/${name}.rels`, { open })
  return { byId, byType }
}

/** Numbers of these formats are dates (ECMA-376 part 1, 18.8.30), and of those that name years, days, hours or seconds. */
const builtInDates = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 30, 36, 45, 46, 47, 50, 57])
/** Excel writes at most 255 characters. */
const isDateCode = (code: string) => /[ymdhs]/i.test(code.slice(0, 255).replace(/"[^"]*"|\\.|\[[^\]]*\]|_./g, ''))

/** Whether a cell of a style holds a date, by the style's number. */
const dateStyles = async (parts: Parts, path: string) => {
  const formats = new Map<number, string>()
  const styles: boolean[] = []
  let inCells = false
  const open: Events['open'] = (name, { numFmtId = '', formatCode = '' }) => {
    if (name === 'numFmt') formats.set(Number(numFmtId), formatCode)
    else if (name === 'cellXfs') inCells = true
    else if (name === 'xf' && inCells) {
      const code = formats.get(Number(numFmtId))
      styles.push(code === undefined ? builtInDates.has(Number(numFmtId)) : isDateCode(code))
    }
  }
  const close = (name: string) => {
    if (name === 'cellXfs') inCells = false
  }
  await readXml(parts, path, { open, close })
  return styles
}

/** Excel writes characters that XML cannot hold as `_x000D_`. */
const unescaped = (text: string) =>
  text.includes('_x') ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))) : text

/** The text of `<t>`, alone or in runs, without the readings that Japanese sheets have beside it. */
const textEvents = () => {
  let [value, inText, inReading] = ['', false, false]
  return {
    open(name: string) {
      if (name === 't') inText = true
      else if (name === 'rPh') inReading = true
    },
    close(name: string) {
      if (name === 't') inText = false
      else if (name === 'rPh') inReading = false
    },
    text(part: string) {
      if (inText && !inReading) value = grown(value, part)
    },
    take() {
      const taken = unescaped(value)
      value = ''
      return taken
    },
  }
}

/** Shared texts as bytes beside the heap: two million strings would fill it. */
const sharedTexts = async (parts: Parts, path: string) => {
  let bytes = Buffer.alloc(64 * 1024)
  let ends = new Uint32Array(1024)
  let count = 0
  const add = (text: string) => {
    const start = count ? ends[count - 1]! : 0
    const end = start + Buffer.byteLength(text)
    if (end > sheetLimits.sharedTextBytes) throw new Fault('tooLarge')
    if (end > bytes.length) bytes = Buffer.concat([bytes], Math.max(end, 2 * bytes.length))
    if (count === ends.length) {
      const longer = new Uint32Array(2 * ends.length)
      longer.set(ends)
      ends = longer
    }
    bytes.write(text, start)
    ends[count++] = end
  }
  const reader = textEvents()
  const close = (name: string) => {
    reader.close(name)
    if (name === 'si') add(reader.take().trim())
  }
  await readXml(parts, path, { open: reader.open, close, text: reader.text })
  return (index: number) => {
    if (!(index >= 0 && index < count)) throw unreadable()
    return bytes.toString('utf8', index ? ends[index - 1] : 0, ends[index])
  }
}

const dayMs = 86_400_000
/** Days since the end of 1899, or of 1903; the 29th of February 1900 is one that Excel invented (ECMA-376 part 1, 18.17.4). */
const dateOf = (days: number, is1904: boolean) => {
  const since1900 = is1904 ? days + 1462 : days < 60 ? days + 1 : days
  return new Date(Math.round((since1900 - 25_569) * dayMs))
}

/** Row and column of an address such as `AB12`, both from 1. */
const placeOf = (address: string): [row: number, column: number] => {
  const [, letters, digits] = /^([A-Z]{1,3})([1-9]\d{0,6})$/.exec(address) ?? []
  if (!letters) throw unreadable()
  return [Number(digits), [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0)]
}

type Book = { shared: (index: number) => string; isDate: readonly boolean[]; is1904: boolean }
type Raw = { type: string; style: string; value: string; text: string }
const cellOf = ({ type, style, value, text }: Raw, { shared, isDate, is1904 }: Book): Cell => {
  if (type === 'inlineStr') return text.trim() || null
  if (value === '') return null
  if (type === 's') return shared(Number(value)).trim() || null
  if (type === 'str' || type === 'e') return unescaped(value).trim() || null
  if (type === 'b') return value === '1'
  const number = type === 'd' ? Date.parse(value) : Number(value)
  if (Number.isNaN(number)) throw unreadable()
  return type === 'd' ? new Date(number) : isDate[Number(style)] ? dateOf(number, is1904) : number
}

/** Opens the workbook up to its first sheet. */
const openBook = async (parts: Parts): Promise<Book & { path: string }> => {
  const book = (await relationsOf(parts, '', '')).byType.get('officeDocument')
  if (!book) throw unreadable()
  const slash = book.lastIndexOf('/') + 1
  const { byId, byType } = await relationsOf(parts, book.slice(0, slash), book.slice(slash))
  let [first, is1904]: [string | undefined, boolean] = [undefined, false]
  const open: Events['open'] = (name, attributes) => {
    if (name === 'workbookPr') is1904 = ['1', 'true'].includes(attributes.date1904 ?? '')
    else if (name === 'sheet') first ??= Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? ''
  }
  await readXml(parts, book, { open })
  const path = byId.get(first ?? '')
  if (!path) throw unreadable()
  const [texts, styles] = [byType.get('sharedStrings'), byType.get('styles')]
  return {
    path,
    is1904,
    shared: texts && parts.has(texts) ? await sharedTexts(parts, texts) : () => '',
    isDate: styles && parts.has(styles) ? await dateStyles(parts, styles) : [],
  }
}

/** Rows of the first sheet that hold something, some at a time. Cells beyond the limits are refused when they come. */
export async function* xlsxRows(file: Uint8Array): AsyncGenerator<SheetRow[]> {
  const parts = openZip(file)
  const book = await openBook(parts)
  const inline = textEvents()
  let rows: SheetRow[] = []
  let [row, column, inValue, characters] = [0, 0, false, 0]
  let cells: Cell[] = []
  let raw: Raw = { type: '', style: '', value: '', text: '' }
  const place = () => {
    const cell = cellOf({ ...raw, text: inline.take() }, book)
    if (cell === null) return
    // Also of cells that later ones overwrite.
    if (typeof cell === 'string') characters += cell.length
    if (characters > sheetLimits.characters) throw new Fault('tooLarge')
    if (row > sheetLimits.rows + 1) throw new Fault('sheetTooLong', { max: sheetLimits.rows })
    if (column > sheetLimits.columns) throw new Fault('sheetTooWide', { max: sheetLimits.columns })
    while (cells.length < column) cells.push(null)
    cells[column - 1] = cell
  }
  const open = (name: string, { r, t = '', s = '' }: Attributes) => {
    if (name === 'row') {
      row = r === undefined ? row + 1 : Number(r)
      if (!(row >= 1)) throw unreadable()
      column = 0
    } else if (name === 'c') {
      const [rowOf, columnOf] = r === undefined ? [row, column + 1] : placeOf(r)
      if (rowOf !== row) throw unreadable()
      column = columnOf
      raw = { type: t, style: s, value: '', text: '' }
    } else if (name === 'v') inValue = true
    else inline.open(name)
  }
  const close = (name: string) => {
    if (name === 'v') inValue = false
    else if (name === 'c') place()
    else if (name === 'row') {
      if (cells.length) rows.push({ row, cells })
      cells = []
    } else inline.close(name)
  }
  const text = (part: string) => {
    if (inValue) raw.value = grown(raw.value, part)
    else inline.text(part)
  }
  for await (const _ of parseXml(parts, book.path, { open, close, text })) {
    yield rows
    rows = []
  }
  yield rows
}
