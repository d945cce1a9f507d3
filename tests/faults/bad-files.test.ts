// Broken sheets and hostile files are refused with a reason. Nothing of them is kept, and the server keeps running.
import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page, Wrapper } from '../../contract/call.ts'
import type { Cell } from '../../contract/cell.ts'
import { readSheet } from '../../server/files/sheetReader.ts'
import { writeSheet } from '../../server/files/xlsx.ts'
import { type House, startHouse } from '../house.ts'
import { enter, noReadings } from './tally.ts'
import { inTime, isLong } from './tiers.ts'

let house: House
let device: number
let header: string[]
let row: Cell[]
const get = (path: string) =>
  fetch(`${house.origin}/api${path}`, { headers: { authorization: `Bearer ${house.admin}`, 'accept-language': 'en' } })
const send = async (path: string, name: string, content: Buffer) => {
  const body = new FormData()
  body.set('file', new File([new Uint8Array(content)], name))
  const headers = { authorization: `Bearer ${house.admin}`, 'accept-language': 'en' }
  const answer = await fetch(`${house.origin}/api${path}`, { method: 'POST', headers, body, signal: AbortSignal.timeout(60_000) })
  return { status: answer.status, said: (await answer.json()) as Wrapper<{ Added?: number; FilePath?: string }> }
}
beforeAll(async () => {
  house = await startHouse()
  device = (await house.newGateway('BADFILES0001', 1)).device
  const [head, example] = await readSheet(Buffer.from(await (await get('/Project/DevPara/Template')).arrayBuffer()))
  header = head!.map(String)
  row = example!
})
afterAll(() => house?.close())

type Entry = { name: string; content: Buffer; says?: number; mode?: number }
/** A zip as it should be, unless an entry's name, mode (Unix) or size in the directory says otherwise. */
const zip = (entries: readonly Entry[]) => {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []]
  let at = 0
  for (const { name, content, says = content.length, mode = 0o100644 } of entries) {
    const packed = deflateRawSync(content)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50)
    local.writeUInt16LE(20, 4)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(packed.length, 18)
    local.writeUInt32LE(says, 22)
    local.writeUInt16LE(Buffer.byteLength(name), 26)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50)
    central.writeUInt16LE(0x0314, 4)
    local.copy(central, 6, 4, 30)
    central.writeUInt32LE(mode * 65_536, 38)
    central.writeUInt32LE(at, 42)
    const whole = Buffer.concat([local, Buffer.from(name), packed])
    parts.push(whole)
    directory.push(central, Buffer.from(name))
    at += whole.length
  }
  const size = directory.reduce((sum, d) => sum + d.length, 0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, ...directory, end])
}
const xml = (text: string) => Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`)
/** A workbook with one sheet of the given XML; `before` precedes the sheet's root. */
const workbook = (sheet: string, before = '', more: readonly Entry[] = []) => {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const packaged = 'http://schemas.openxmlformats.org/package/2006'
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  return zip([
    {
      name: '[Content_Types].xml',
      content: xml(
        `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/></Types>`,
      ),
    },
    {
      name: '_rels/.rels',
      content: xml(
        `<Relationships xmlns="${packaged}/relationships"><Relationship Id="r1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
      ),
    },
    {
      name: 'xl/workbook.xml',
      content: xml(`<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`),
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: xml(
        `<Relationships xmlns="${packaged}/relationships"><Relationship Id="r1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
      ),
    },
    { name: 'xl/worksheets/sheet1.xml', content: xml(`${before}<worksheet xmlns="${main}"><sheetData>${sheet}</sheetData></worksheet>`) },
    ...more,
  ])
}
const inline = (text: string) => `<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`
const laughs = `<!DOCTYPE x [<!ENTITY a "ha">${[...'bcdefghij'].map((c, i) => `<!ENTITY ${c} "${`&${'abcdefghij'[i]};`.repeat(10)}">`).join('')}]>`
const outside = `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>`
const zeros = () => Buffer.alloc(isLong ? 1_000_000_000 : 110_000_000)
/** Of each list one in four, beginning anywhere, where there is little time. */
const some = <T>(of: readonly T[]) => (isLong ? of : of.filter((_, i) => i % 4 === Math.floor(Date.now() / 1000) % 4))

/** Files that are no table, whatever is asked to read them. */
const noTables = (): [name: string, content: () => Buffer][] => [
  ['empty.xlsx', () => Buffer.alloc(0)],
  ['noise.xlsx', () => randomBytes(5000)],
  ['signature.xlsx', () => Buffer.concat([Buffer.from('PK\x03\x04'), randomBytes(500)])],
  ['nozip.xlsx', () => Buffer.from('PK\x03\x04')],
  ['noentries.xlsx', () => zip([])],
  ['bomb.xlsx', () => zip([{ name: 'xl/worksheets/sheet1.xml', content: zeros() }])],
  ['liar.xlsx', () => workbook('', '', [{ name: 'xl/sharedStrings.xml', content: zeros(), says: 10 }])],
  ['climber.xlsx', () => zip([{ name: '../../../tmp/x', content: Buffer.from('x') }])],
  ['absolute.xlsx', () => zip([{ name: '/etc/passwd', content: Buffer.from('x') }])],
  ['link.xlsx', () => zip([{ name: 'xl/workbook.xml', content: Buffer.from('/etc/passwd'), mode: 0o120777 }])],
  ['laughs.xlsx', () => workbook(inline('&j;'), laughs)],
  ['outside.xlsx', () => workbook(inline('&e;'), outside)],
  ['cut.xml.xlsx', () => workbook('<row r="1"><c r="A1"')],
  ['cells.xlsx', () => workbook('<row r="1"><c r="ZZZZZ99999999" t="n"><v>1</v></c></row>')],
  ['many.xlsx', () => zip(Array.from({ length: 2000 }, (_, i) => ({ name: `f${i}`, content: Buffer.from('x') })))],
  ['page.csv', () => Buffer.from('<html><script>alert(1)</script>')],
  ['utf16.csv', () => Buffer.from('\uFEFFPoint name', 'utf16le')],
  ['nul.csv', () => Buffer.from('Point name\0,Address\na,1\n')],
  ['quote.csv', () => Buffer.from('"never closed')],
  ['long.csv', () => Buffer.from('x'.repeat(1_000_000))],
]

/** Tables of points of which a row, a column or a cell is wrong. */
const brokenTables = async (): Promise<[name: string, content: Buffer][]> => {
  const place = (title: string) => header.indexOf(title)
  const [named, address] = [place('Point name'), place('Address')]
  const changed = (at: number, value: Cell) => row.map((c, i) => (i === at ? value : c))
  const csv = (head: readonly string[], ...rows: (readonly Cell[])[]) =>
    Buffer.from([head, ...rows].map((line) => line.map((c) => `"${String(c ?? '').replaceAll('"', '""')}"`).join(',')).join('\n'))
  const cells: [string, Cell][] = [
    ...(['', 'x'.repeat(300), '\u202eabc\u0000'] as const).map((v) => [header[named]!, v] as [string, Cell]),
    ...(['65536', '-1', '1e9', 'A1', '=1+1', '１２a', '1.99'] as const).map((v) => [header[address]!, v] as [string, Cell]),
  ]
  const others = header
    .filter((title, i) => i !== named && i !== address && title !== 'Device')
    .map((title) => [title, 'nonsense of nobody '.repeat(30)] as [string, Cell])
  return [
    ['28 columns', csv([...header, 'Twenty-eighth'], [...row, 1])],
    ['a column twice', csv([...header, header[address]!], [...row, 1])],
    ['no rows', csv(header)],
    [
      'titles of nobody',
      csv(
        header.map((_, i) => `T${i}`),
        row,
      ),
    ],
    [
      'without addresses',
      csv(
        header.filter((_, i) => i !== address),
        row.filter((_, i) => i !== address),
      ),
    ],
    ['two of one name', csv(header, row, changed(address, '77'))],
    ['two of one place', csv(header, row, changed(named, 'Other'))],
    ...(isLong
      ? [['too many rows', csv(header, ...Array.from({ length: 50_001 }, (_, i) => changed(named, `P${i}`)))] as [string, Buffer]]
      : []),
    ['a good row and a bad one', csv(header, changed(named, 'Good'), changed(address, 'bad'))],
    ['true where a number belongs', await writeSheet(header, [changed(address, true)])],
    ...[...cells, ...others].map(
      ([title, value]) => [`${title}: ${String(value).slice(0, 12)}`, csv(header, changed(place(title), value))] as [string, Buffer],
    ),
  ]
}

const leak = /node_modules|\/server\/|\.ts:\d|syntax error|relation "|etc\/passwd|root:/
/** Refused in order, with a reason and no failure of ours. */
const wrongOf = ({ status, said }: Awaited<ReturnType<typeof send>>) => {
  if (said.Succeeded !== false) return 'taken'
  if (status >= 500 || said.StatusCode >= 500) return `a failure: ${said.StatusCode}`
  if (!said.Errors || leak.test(JSON.stringify(said))) return `no reason: ${JSON.stringify(said).slice(0, 200)}`
  return undefined
}

test('a broken sheet is refused with its reason and leaves nothing', inTime(4), async ({ task }) => {
  const paths = [`/Project/DevPara/Import?DeviceId=${device}`, '/Project/Project/Import', '/Project/Gateway/Import', '/System/User/Import']
  const bad: string[] = []
  let asked = 0
  const ask = async (path: string, name: string, content: Buffer) => {
    asked++
    const wrong = wrongOf(await send(path, name, content))
    if (wrong) bad.push(`${path} ${name}: ${wrong}`)
  }
  for (const [name, content] of some(await brokenTables())) await ask(paths[0]!, name, content)
  for (const path of isLong ? paths : paths.slice(0, 1)) for (const [name, content] of some(noTables())) await ask(path, name, content())
  const points = await house.data<Page<object>>('GET', `/V2/Project/DevPara/List?DeviceIds=${device}`)
  enter(task, { fault: 'broken sheets', rounds: 1, ...noReadings, note: `${asked} sheets, ${bad.length} not refused in order` })
  expect(bad).toEqual([])
  expect(points.TotalCount).toBe(0)
  expect((await send(paths[0]!, 'good.xlsx', await writeSheet(header, [row]))).said).toMatchObject({ Data: { Added: 1 } })
})

test('a hostile upload is refused, or given back as a file that no browser runs', inTime(4), async ({ task }) => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
  const names = [
    '../../x.txt',
    'x'.repeat(255),
    '\u202egpj.exe',
    'a\0b.txt',
    'CON',
    '.htaccess',
    'macro.xlsm',
    'C:\\x.txt',
    '%2e%2e%2fx.txt',
    '<b>.txt',
  ]
  const files: [string, Buffer][] = [
    ...some(noTables().filter(([name]) => name !== 'liar.xlsx')).map(([name, content]) => [name, content()] as [string, Buffer]),
    ...names.map((name) => [name, Buffer.from('plain text')] as [string, Buffer]),
    ['drawing.svg', svg],
    ['drawing.png', svg],
    ['page.html', Buffer.from('<script>alert(1)</script>')],
    ['tool.exe', Buffer.concat([Buffer.from('MZ'), randomBytes(500)])],
    ['tool.pdf', Buffer.concat([Buffer.from('MZ'), randomBytes(500)])],
    ['elf.png', Buffer.concat([Buffer.from('\x7fELF'), randomBytes(500)])],
    ['gif.js', Buffer.from('GIF89a/*x*/=1;alert(1)')],
    ['limit.txt', Buffer.alloc(20 * 1024 * 1024 + 1, 'x')],
    ['both.pdf', Buffer.from('%PDF-1.4 <script>alert(1)</script>')],
    ['picture.png', Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(500)])],
  ]
  const bad: string[] = []
  let [asked, kept] = [0, 0]
  for (const Purpose of isLong ? ['attachment', 'picture', 'logo', 'avatar'] : ['attachment'])
    for (const [name, content] of files) {
      asked++
      const answer = await send(`/System/File/Upload?Purpose=${Purpose}`, name, content)
      if (!answer.said.Succeeded) {
        const wrong = wrongOf(answer)
        if (wrong) bad.push(`${Purpose} ${name}: ${wrong}`)
        continue
      }
      kept++
      const back = await get(answer.said.Data.FilePath!.replace(/^(?!\/)/, '/'))
      const [type, how] = ['content-type', 'content-disposition'].map((h) => back.headers.get(h) ?? '')
      if (!/^attachment/.test(how!) || /html|svg|javascript/.test(type!) || back.headers.get('x-content-type-options') !== 'nosniff')
        bad.push(`${Purpose} ${name}: given back as ${type}, ${how}`)
      await back.arrayBuffer()
    }
  enter(task, {
    fault: 'hostile uploads',
    rounds: 1,
    ...noReadings,
    note: `${asked} files, ${kept} kept as attachments, ${bad.length} wrong`,
  })
  expect(bad).toEqual([])
})
