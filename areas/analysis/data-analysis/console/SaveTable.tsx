import { DownloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { namedFile } from '../../../../console/chart/exports.ts'
import { saveCsv } from '../../../../console/session/request.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { Cell } from '../../../../contract/cell.ts'

/** Takes the table of a screen along. */
export const SaveTable = ({ name, rows }: { name: string; rows: readonly (readonly Cell[])[] }) => {
  const t = useWords()
  return (
    <Button icon={<DownloadOutlined />} disabled={rows.length < 2} onClick={() => saveCsv(rows, namedFile(name, 'csv'))}>
      {t('explore.csv')}
    </Button>
  )
}

type Column<R> = readonly [title: string, text: (row: R) => string, ...rest: unknown[]]
/** The table of a screen as rows of cells, titles first: the name of each row, then its columns. */
export const cellsOf = <R extends { name: string }>(first: string, columns: readonly Column<R>[], rows: readonly R[]) => [
  [first, ...columns.map(([title]) => title)],
  ...rows.map((row) => [row.name, ...columns.map(([, text]) => text(row))]),
]
