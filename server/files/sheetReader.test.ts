import { strToU8, unzipSync, zipSync } from 'fflate'
import { readSheet as readPlainly } from 'read-excel-file/node'
import { expect, test } from 'vitest'
import { readSheet } from './sheetReader.ts'

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006/relationships'
const relation = (id: string, of: string, target: string) => `<Relationship Id="${id}" Type="${relations}/${of}" Target="${target}"/>`
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const part = (name: string, type: string) => `<Override PartName="/xl/${name}.xml" ContentType="${types}.${type}+xml"/>`

/** As Excel writes it: shared and rich texts, readings beside them, dates by style, gaps, formulas, an escaped line end. */
const book = zipSync(
  Object.fromEntries(
    Object.entries({
      '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${part('workbook', 'sheet.main')}${part('worksheets/sheet1', 'worksheet')}${part('sharedStrings', 'sharedStrings')}${part('styles', 'styles')}</Types>`,
      '_rels/.rels': `<Relationships xmlns="${packaged}">${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
      'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="One" sheetId="1" r:id="rId9"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packaged}">${relation('rId9', 'worksheet', 'worksheets/sheet1.xml')}${relation('rId2', 'sharedStrings', 'sharedStrings.xml')}${relation('rId3', 'styles', 'styles.xml')}</Relationships>`,
      'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="0.0&quot; days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="0"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
      'xl/sharedStrings.xml': `<sst xmlns="${main}"><si><t>Name</t></si><si><r><t>Pump </t></r><r><rPr><b/></rPr><t>1 &amp; 2</t></r></si><si><t>漢字</t><rPh sb="0" eb="2"><t>かんじ</t></rPh></si><si><t>a_x000D_b</t></si></sst>`,
      'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><dimension ref="A1:XFD1048576"/><sheetData>
        <row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>Date</t></is></c></row>
        <row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3"><v>-1.5E2</v></c><c r="C3" s="1"><v>45000.5</v></c><c r="D3" s="2"><v>59</v></c><c r="E3" s="3"><v>2</v></c></row>
        <row r="4"><c r="A4" t="s"><v>2</v></c><c r="B4" t="b"><v>1</v></c><c r="C4" t="str"><f>A1</f><v>text</v></c><c r="D4" t="s"><v>3</v></c></row>
        <row r="9"><c r="B9" s="1"/></row></sheetData></worksheet>`,
    }).map(([name, xml]) => [name, strToU8(`<?xml version="1.0"?>${xml}`)]),
  ),
)

test('a sheet of Excel reads as an independent reader reads it', async () => {
  const rows = await readSheet(book)
  expect(rows).toEqual([
    ['Name', null, 'Date', null, null],
    [null, null, null, null, null],
    ['Pump 1 & 2', -150, new Date('2023-03-15T12:00:00Z'), new Date('1900-02-28T00:00:00Z'), 2],
    ['漢字', true, 'text', 'a\rb', null],
  ])
  expect(rows.map((row) => row.filter((cell) => !(cell instanceof Date)))).toEqual(
    (await readPlainly(Buffer.from(book))).map((row) => row.filter((cell) => !(cell instanceof Date))),
  )
})

test('a text table reads with its own separator; empty lines do not count', async () => {
  expect(await readSheet(Buffer.from("\uFEFFa;b,c;d\n\n'=1;;x\n"))).toEqual([
    ['a', 'b,c', 'd'],
    ['=1', null, 'x'],
  ])
})

test.each([
  ['escaped text', `<c t="str"><v>${'_x0041_'.repeat(2 ** 18)}</v></c>`],
  ['spaces', `<c t="str"><v>${' '.repeat(2 ** 20)}</v></c>`],
  ['an attribute', `<c x="${' '.repeat(2 ** 20)}"/>`],
])('a cell that grows too long is refused: %s', async (_, cell) => {
  const sheet = strToU8(`<worksheet><sheetData><row r="1">${cell}</row></sheetData></worksheet>`)
  await expect(readSheet(zipSync({ ...unzipSync(book), 'xl/worksheets/sheet1.xml': sheet }))).rejects.toThrow('tooLarge')
})
