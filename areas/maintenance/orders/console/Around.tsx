import './orders.css'
import { Segmented } from 'antd'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { useWords } from '../../../../console/words/words.ts'

const Board = lazyScreen(() => import('./OrderBoard.tsx'))

/** Switches between the list of orders and the board by state. */
const Around = ({ children }: { children: ReactNode }) => {
  const t = useWords()
  const [params, setParams] = useSearchParams()
  const view = params.get('view') === 'board' ? 'board' : 'list'
  return (
    <>
      <div className="order-views">
        <Segmented
          value={view}
          onChange={(next) => setParams(next === 'board' ? { view: next } : {}, { replace: true })}
          options={(['list', 'board'] as const).map((value) => ({ value, label: t(`order.${value}`) }))}
        />
      </div>
      {view === 'board' ? <Board /> : children}
    </>
  )
}
export default Around
