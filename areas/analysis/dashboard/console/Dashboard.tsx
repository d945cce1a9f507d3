import './dashboard.css'
import { LayoutOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { Fragment, type ReactNode, useState } from 'react'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { usePreference } from '../../../../console/kernel/list/usePreference.ts'
import { useSession } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { Settled } from '../../water-works/console/Settled.tsx'
import { Arrange } from './Arrange.tsx'
import { cards, type Placed, placed, toColumns } from './cards.tsx'

const menu = 'm100'

/** The tiles that this person may see, in his own order, with `children` below. */
export const Dashboard = ({ children }: { children?: ReactNode }) => {
  const t = useWords()
  const codes = useSession((s) => s.session?.codes)
  const { preference, loading, change } = usePreference(menu)
  const [arranging, setArranging] = useState(false)
  const mine = placed(
    cards.filter((card) => codes?.has(card.permission)),
    preference.Columns,
  )
  if (!mine.length) return children
  // Not first in one order and then in another.
  if (loading) return null
  const shown = (size: Placed['size']) =>
    mine.filter((card) => card.visible && card.size === size).map(({ name, is: Card }) => <Card key={name} />)
  const [tiles, faces, panels, wide] = [shown('tile'), shown('face'), shown('panel'), shown('wide')]
  const Below = faces.length > 0 ? Settled : Fragment
  return (
    <>
      <div className="arrange-open">
        <Button size="small" icon={<LayoutOutlined />} onClick={() => setArranging(true)}>
          {t('dashboard.arrange')}
        </Button>
      </div>
      {mine.every((card) => !card.visible) && <EmptyList text={t('dashboard.nothing')} />}
      {tiles.length > 0 && <div className="tiles">{tiles}</div>}
      <Below>
        {faces}
        {panels.length > 0 && <div className="panels">{panels}</div>}
        {wide}
        {children}
      </Below>
      {arranging && (
        <Arrange
          cards={mine}
          change={(next) => change({ Columns: toColumns(next) })}
          reset={() => change({ reset: true })}
          close={() => setArranging(false)}
        />
      )}
    </>
  )
}
