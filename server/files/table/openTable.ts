import { csvTable } from './csv.ts'
import { parquetTable } from './parquet.ts'
import type { TableFile, TableFormat, TableOptions } from './table.ts'
import { xlsxTable } from './xlsx.ts'

export const openTable = (format: TableFormat, options: TableOptions): TableFile =>
  ({ csv: csvTable, xlsx: xlsxTable, parquet: parquetTable })[format](options)
