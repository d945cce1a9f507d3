import { Pagination, type PaginationProps, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { type Action, RowActions } from '../../../../console/kernel/RowActions.tsx'
import { LiveAge, LiveState, LiveValue } from '../../../../console/live/LiveCells.tsx'
import type { ParaInfo } from '../../../../contract/telemetry.ts'

type Props<T extends ParaInfo> = {
  points: readonly T[]
  /** Shown on the device's page, which already names the device. */
  own?: boolean | undefined
  loading: boolean
  actions: (p: T) => Action[]
  empty: ReactNode
  pagination: PaginationProps & { hideOnSinglePage?: boolean }
}

/** Live values on a phone. */
export const LiveLines = <T extends ParaInfo>({ points, own, loading, actions, empty, pagination }: Props<T>) => {
  if (loading) return <Skeleton active />
  if (!points.length) return empty
  return (
    <>
      <ul className="live-lines">
        {points.map((p) => (
          <li key={p.ParaId}>
            <span className="live-lines-what">
              {p.ParaName}
              {!own && <small>{p.DeviceName}</small>}
            </span>
            <span className="live-lines-now">
              <LiveValue point={p} />
              <small>
                <LiveState point={p} /> · <LiveAge point={p} />
              </small>
            </span>
            <RowActions actions={actions(p)} title={p.ParaName} icons={0} />
          </li>
        ))}
      </ul>
      {!pagination.hideOnSinglePage && <Pagination {...pagination} size="small" className="cards-pages" />}
    </>
  )
}
