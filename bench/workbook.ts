import { strToU8, zipSync } from 'fflate'

/** The smallest xlsx with one sheet whose rows and shared texts are given as XML. */
export const workbook = (rows: string, texts = '') => {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const packaged = 'http://schemas.openxmlformats.org/package/2006'
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const part = (name: string) => `<Override PartName="/xl/${name}.xml" ContentType="${type}.${name.replace('s/sheet1', '')}+xml"/>`
  const relation = (id: number, of: string, target: string) => `<Relationship Id="r${id}" Type="${relations}/${of}" Target="${target}"/>`
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${part('workbook')}${part('worksheets/sheet1')}${part('sharedStrings')}</Types>`,
    '_rels/.rels': `<Relationships xmlns="${packaged}/relationships">${relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packaged}/relationships">${relation(1, 'worksheet', 'worksheets/sheet1.xml')}${relation(2, 'sharedStrings', 'sharedStrings.xml')}</Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${texts}</sst>`,
  }
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)]))))
}
