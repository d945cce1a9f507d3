// Operations on a block of cells, as lists of edits: paste, fill down, series, replace. Texts have the clipboard format of spreadsheets.
export type Edit = {
  row: number
  column: number
  text: string
  /** If it is not the field of the column. */
  name?: string
}
/** The corners of a selection. */
export type Block = { top: number; left: number; bottom: number; right: number }
type TextAt = (row: number, column: number) => string

/** Maximum cells of one paste. */
export const mostPasted = 50_000

const rows = ({ top, bottom }: Block) => Array.from({ length: bottom - top + 1 }, (_, i) => top + i)
const columns = ({ left, right }: Block) => Array.from({ length: right - left + 1 }, (_, i) => left + i)
const cellsOf = (block: Block) => rows(block).flatMap((row) => columns(block).map((column) => ({ row, column })))

/** Parses a copied block: tabs between columns, quotes around texts with line breaks. */
export const readBlock = (text: string): string[][] => {
  const lines: string[][] = [['']]
  let isQuoted = false
  const add = (part: string) => {
    const line = lines.at(-1)!
    line[line.length - 1] += part
  }
  const body = text.replace(/\r\n?/g, '\n').replace(/\n$/, '')
  for (let i = 0; i < body.length; i++) {
    const c = body[i]!
    const isEmpty = lines.at(-1)!.at(-1) === ''
    if (isQuoted) {
      if (c !== '"') add(c)
      else if (body[i + 1] === '"') add(body[++i]!)
      else isQuoted = false
    } else if (c === '"' && isEmpty) isQuoted = true
    else if (c === '\t') lines.at(-1)!.push('')
    else if (c === '\n') lines.push([''])
    else add(c)
  }
  return lines
}

/** Formats a block for the clipboard. */
export const writeBlock = (block: Block, textAt: TextAt): string =>
  rows(block)
    .map((row) =>
      columns(block)
        .map((column) => textAt(row, column))
        .map((text) => (/[\t\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
        .join('\t'),
    )
    .join('\n')

/** Pastes at the top left of the selection. If the block fits several times, it fills the selection. */
export const paste = (copied: readonly (readonly string[])[], at: Block, width: number): Edit[] => {
  const [height, wide] = [copied.length, Math.max(...copied.map((line) => line.length))]
  const [selectedRows, selectedColumns] = [at.bottom - at.top + 1, at.right - at.left + 1]
  const isRepeated = selectedRows % height === 0 && selectedColumns % wide === 0
  const [down, across] = isRepeated ? [selectedRows, selectedColumns] : [height, wide]
  const right = Math.min(width, at.left + across) - 1
  return cellsOf({ top: at.top, left: at.left, bottom: at.top + down - 1, right }).map(({ row, column }) => ({
    row,
    column,
    text: (copied[(row - at.top) % height]![(column - at.left) % wide] ?? '').trim(),
  }))
}

/**
 * A block whose first row has column titles: each cell goes to the field of its title, even if that column is hidden. Undefined if
 * the first row has no titles.
 */
export const pasteTitled = (copied: readonly (readonly string[])[], top: number, fieldOf: (title: string) => string | undefined) => {
  const [titles = [], ...lines] = copied
  const names = titles.map(fieldOf)
  const known = names.filter((name) => name !== undefined)
  const isTitled = known.length > 1 && (known.includes('ParaName') || known.includes('Address'))
  if (!lines.length || !isTitled || new Set(known).size < known.length) return undefined
  const edits = lines.flatMap((line, i) =>
    names.flatMap((name, k): Edit[] => (name ? [{ row: top + i, column: 0, name, text: (line[k] ?? '').trim() }] : [])),
  )
  return { edits, skipped: titles.filter((title, k) => title.trim() && !names[k]) }
}

/** Copies the first row of the selection to the others. */
export const fillDown = (block: Block, textAt: TextAt): Edit[] =>
  cellsOf({ ...block, top: block.top + 1 }).map(({ row, column }) => ({ row, column, text: textAt(block.top, column) }))

const lastNumber = /^(.*?)(\d+)(\D*)$/s
const isNumber = (text: string) => text.trim() !== '' && Number.isFinite(Number(text))
const round = (value: number) => String(Number(value.toPrecision(12)))

/** Continues `first`: numbers, and texts with a number, rise by the difference between the first two, or by one. */
const continued = (first: string, second: string | undefined): ((i: number) => string) => {
  if (isNumber(first)) {
    const step = second !== undefined && isNumber(second) ? Number(second) - Number(first) : 1
    return (i) => round(Number(first) + i * step)
  }
  const [, before = '', digits, after = ''] = lastNumber.exec(first) ?? []
  if (digits === undefined) return () => first
  const [, sameBefore, next, sameAfter] = lastNumber.exec(second ?? '') ?? []
  const step = sameBefore === before && sameAfter === after ? Number(next) - Number(digits) : 1
  return (i) =>
    `${before}${String(Math.max(0, Number(digits) + i * step)).padStart(digits.startsWith('0') ? digits.length : 1, '0')}${after}`
}

/** Continues each column of the selection from its first cells. */
export const series = (block: Block, textAt: TextAt): Edit[] =>
  columns(block).flatMap((column) => {
    const second = block.bottom > block.top ? textAt(block.top + 1, column) : undefined
    const next = continued(textAt(block.top, column), second === '' ? undefined : second)
    return rows(block)
      .slice(1)
      .map((row, i) => ({ row, column, text: next(i + 1) }))
  })

/** Replaces a text in cells, ignoring its case. */
export const replaceAll = (find: string, by: string, block: Block, textAt: TextAt): Edit[] => {
  if (!find) return []
  const pattern = new RegExp(find.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi')
  return cellsOf(block).flatMap(({ row, column }) => {
    const before = textAt(row, column)
    const text = before.replace(pattern, () => by)
    return text === before ? [] : [{ row, column, text }]
  })
}

export const clear = (block: Block): Edit[] => cellsOf(block).map((cell) => ({ ...cell, text: '' }))
