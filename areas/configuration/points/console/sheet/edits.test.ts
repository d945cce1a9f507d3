import { expect, it } from 'vitest'
import { clear, fillDown, paste, pasteTitled, readBlock, replaceAll, series, writeBlock } from './edits.ts'

const table = [
  ['Pump 1', '100', 'a'],
  ['Pump 3', '104', 'A.b'],
  ['', '', 'x'],
  ['', '', ''],
]
const textAt = (row: number, column: number) => table[row]?.[column] ?? ''
const block = (top: number, left: number, bottom: number, right: number) => ({ top, left, bottom, right })
const texts = (edits: { text: string }[]) => edits.map(({ text }) => text)

it('reads a block as Excel copies it, with quotes and line breaks inside', () => {
  expect(readBlock('a\tb\r\n"c\nd"\t"e ""f"""\r\n')).toEqual([
    ['a', 'b'],
    ['c\nd', 'e "f"'],
  ])
  expect(readBlock('5"\t1')).toEqual([['5"', '1']])
  const odd = [['a\tb', 'say "x"']]
  expect(readBlock(writeBlock(block(0, 0, 0, 1), (row, column) => odd[row]![column]!))).toEqual(odd)
})

it('pastes at the top left of the selection, below the last row too, and not beyond the last column', () => {
  const edits = paste(readBlock('a\tb\nc\td'), block(3, 2, 3, 2), 3)
  expect(edits).toEqual([
    { row: 3, column: 2, text: 'a' },
    { row: 4, column: 2, text: 'c' },
  ])
})

it('a block with titles goes to their fields, below no title, and names what it leaves out', () => {
  const fieldOf = (title: string) => ({ Name: 'ParaName', Addr: 'Address', Unit: 'ParaUnitName' })[title]
  const read = (text: string) => pasteTitled(readBlock(text), 4, fieldOf)
  expect(read('Unit\tName\tOwner\nbar\tFlow\tme\n°C\tHeat\tyou')).toEqual({
    edits: [
      { row: 4, column: 0, name: 'ParaUnitName', text: 'bar' },
      { row: 4, column: 0, name: 'ParaName', text: 'Flow' },
      { row: 5, column: 0, name: 'ParaUnitName', text: '°C' },
      { row: 5, column: 0, name: 'ParaName', text: 'Heat' },
    ],
    skipped: ['Owner'],
  })
  for (const text of ['Name\tAddr', 'Flow\t1\nHeat\t2', 'Name\tOwner\nFlow\tme', 'Name\tAddr\tName\na\t1\tb'])
    expect(read(text)).toBeUndefined()
})

it('one copied cell fills a selection', () => {
  expect(texts(paste([['7']], block(0, 0, 2, 1), 3))).toEqual(Array(6).fill('7'))
})

it('fills down from the first row', () => expect(texts(fillDown(block(0, 0, 2, 1), textAt))).toEqual(['Pump 1', '100', 'Pump 1', '100']))

it.each([
  [0, ['Pump 3', 'Pump 5', 'Pump 7']],
  [1, ['104', '108', '112']],
])('continues column %i by the difference of its first two cells', (column, expected) =>
  expect(texts(series(block(0, column, 3, column), textAt))).toEqual(expected),
)

it('continues a single cell by one, with its zeros', () => {
  const one = (first: string) => texts(series(block(0, 0, 2, 0), (row) => (row ? '' : first)))
  expect(one('P-009')).toEqual(['P-010', 'P-011'])
  expect(one('0.1')).toEqual(['1.1', '2.1'])
  expect(one('Flow')).toEqual(['Flow', 'Flow'])
})

it('replaces texts in any case, with special characters as they are', () => {
  expect(replaceAll('a', '$&', block(0, 2, 3, 2), textAt)).toEqual([
    { row: 0, column: 2, text: '$&' },
    { row: 1, column: 2, text: '$&.b' },
  ])
  expect(texts(replaceAll('.', '-', block(0, 2, 3, 2), textAt))).toEqual(['A-b'])
  expect(replaceAll('', 'x', block(0, 0, 3, 2), textAt)).toEqual([])
})

it('clears a selection', () => expect(clear(block(0, 0, 1, 1))).toHaveLength(4))
