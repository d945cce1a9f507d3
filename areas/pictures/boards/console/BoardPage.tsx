import { EditOutlined, FullscreenOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'
import { useRef } from 'react'
import { useSearchParams } from 'react-router'
import { useRow } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { menuPath } from '../../../../console/kernel/plainScreens.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useGo } from '../../../../console/shell/To.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Row } from '../../../../contract/resource.ts'
import { type BoardContent, visualBoard } from '../contract.ts'
import { BoardBar } from './BoardBar.tsx'
import { BoardGrid, BoardShown } from './BoardGrid.tsx'
import { useBoardView } from './useBoardView.ts'

export type Board = Row<typeof visualBoard> & { Content: BoardContent }
export const boardsPath = menuPath(visualBoard.permission)!

const Look = ({ board, edit }: { board: Board; edit: (() => void) | undefined }) => {
  const t = useWords()
  const { message } = App.useApp()
  const box = useRef<HTMLDivElement>(null)
  const view = useBoardView(board.Content)
  const { Widgets } = board.Content
  return (
    <Page
      title={board.Title}
      actions={
        <>
          {edit && (
            <Button icon={<EditOutlined />} onClick={edit}>
              {t('board.edit')}
            </Button>
          )}
          <Button
            icon={<FullscreenOutlined />}
            onClick={() => box.current?.requestFullscreen().catch(() => message.error(t('board.noFullWindow')))}
          >
            {t('board.fullWindow')}
          </Button>
        </>
      }
    >
      <BoardBar content={board.Content} view={view} />
      {Widgets.length ? (
        <BoardShown id={board.Id} stored={board.Content} view={view}>
          <div ref={box} className="board">
            <BoardGrid widgets={Widgets} />
          </div>
        </BoardShown>
      ) : (
        <EmptyList text={t('board.empty')} action={edit && { label: t('board.edit'), run: edit }} />
      )}
    </Page>
  )
}

/** A board: people look at it, and those who may change it. */
const BoardPage = () => {
  const t = useWords()
  const go = useGo()
  const [params] = useSearchParams()
  const id = Number(params.get('Id'))
  const { data, error, refetch } = useRow(visualBoard, id)
  if (error && !data) {
    if (error.status !== 404) return <Failure fault={error} retry={() => refetch()} />
    return (
      <article className="page">
        <EmptyList text={t('detail.gone', { thing: t('visualBoard') })} action={{ label: t('menu.m10310'), run: () => go(boardsPath) }} />
      </article>
    )
  }
  if (!data) return null
  return <Look key={id} board={data as Board} edit={undefined} />
}
export default BoardPage
