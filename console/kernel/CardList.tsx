import { Pagination, type PaginationProps, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { usePieces } from './list/usePieces.ts'

type Props<T extends { Id: number }> = {
  rows: T[] | undefined
  loading: boolean
  title: (row: T) => ReactNode
  lines: (row: T) => { key: string; label: string; content: ReactNode }[]
  actions: (row: T) => ReactNode
  empty: ReactNode
  card?: ((row: T) => ReactNode) | undefined
  pagination?: PaginationProps & { hideOnSinglePage?: boolean }
}

/** A list on a phone: one card a row. */
export const CardList = <T extends { Id: number }>({ rows, loading, title, lines, actions, empty, card, pagination }: Props<T>) => {
  const { drawn, count, end, over } = usePieces(rows ?? [])
  if (loading) return <Skeleton active />
  if (!rows?.length) return empty
  return (
    <>
      <ul className="cards">
        {drawn.map((row) => (
          <li key={row.Id} data-row-key={row.Id} className="card">
            {card?.(row) ?? (
              <>
                <div className="card-head">
                  <strong>{title(row)}</strong>
                  {actions(row)}
                </div>
                <dl>
                  {lines(row).map(({ key, label, content }) => (
                    <div key={key}>
                      <dt>{label}</dt>
                      <dd>{content}</dd>
                    </div>
                  ))}
                </dl>
              </>
            )}
          </li>
        ))}
      </ul>
      {!over && <div key={count} ref={end} />}
      {pagination && !pagination.hideOnSinglePage && <Pagination {...pagination} size="small" className="cards-pages" />}
    </>
  )
}
