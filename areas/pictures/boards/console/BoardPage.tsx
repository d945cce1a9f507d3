import { DownloadOutlined, EditOutlined, FullscreenOutlined, HistoryOutlined, UnorderedListOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'
import { lazy, Suspense, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useRow } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { menuPath } from '../../../../console/kernel/plainScreens.ts'
import { invoke, saveFile } from '../../../../console/session/request.ts'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useGo } from '../../../../console/shell/To.tsx'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { Row } from '../../../../contract/resource.ts'
import { ShareButton } from '../../shares/console/ShareButton.tsx'
import { kinds as shared } from '../../shares/contract.ts'
import { type BoardContent, visualBoard, visualBoardCalls } from '../contract.ts'
import { BoardBar } from './BoardBar.tsx'
import { BoardGrid, BoardShown } from './BoardGrid.tsx'
import { toFile } from './boardFile.ts'
import type { Choice } from './useBoardData.ts'
import { useBoardView } from './useBoardView.ts'

const Versions = lazy(() => import('./BoardVersions.tsx'))
const Editor = lazy(() => import('./BoardEditor.tsx'))
export type Board = Row<typeof visualBoard> & { Content: BoardContent }
export const boardsPath = menuPath(visualBoard.permission)!
/** Address of the list, even if a board opens by default. */
export const allBoards = `${boardsPath}?list=1`

/** Exports the board as a file; points are identified by their names. */
const exported = async ({ Id, Title, Content }: Board) => {
  const End = Date.now()
  const { Points } = await invoke(visualBoardCalls.data, { body: { Id, Start: End - 1, End, Parts: ['now'] } })
  saveFile(new Blob([JSON.stringify(toFile(Title, Content, Points), null, 2)], { type: 'application/json' }), `${Title}.json`)
}

/** Choices that viewers of a link cannot change. */
const fixedBy = (choice: Choice) =>
  Object.entries(choice).map(([Name, Value]) => ({ Name, Value: Array.isArray(Value) ? Value.join() : Value }))

const Look = ({ board, edit }: { board: Board; edit: (() => void) | undefined }) => {
  const t = useWords()
  const go = useGo()
  const { message } = App.useApp()
  const box = useRef<HTMLDivElement>(null)
  const view = useBoardView(board.Content)
  const { Widgets } = board.Content
  const [hasVersions, setVersions] = useState(false)
  const mayExport = useMay('m10310.add')
  return (
    <Page
      title={board.Title}
      actions={
        <>
          <Button icon={<UnorderedListOutlined />} onClick={() => go(allBoards)}>
            {t('board.all')}
          </Button>
          {edit && (
            <Button icon={<EditOutlined />} onClick={edit}>
              {t('board.edit')}
            </Button>
          )}
          {edit && (
            <Button icon={<HistoryOutlined />} onClick={() => setVersions(true)}>
              {t('board.versions')}
            </Button>
          )}
          {mayExport && (
            <Button icon={<DownloadOutlined />} onClick={() => void exported(board)}>
              {t('board.export')}
            </Button>
          )}
          <ShareButton kind={shared.board} target={board.Id} name={board.Title} parameters={fixedBy(view.choice)} />
          <Button
            icon={<FullscreenOutlined />}
            onClick={() => box.current?.requestFullscreen().catch(() => message.error(t('board.noFullWindow')))}
          >
            {t('board.fullWindow')}
          </Button>
        </>
      }
    >
      {hasVersions && (
        <Suspense fallback={null}>
          <Versions id={board.Id} title={board.Title} close={() => setVersions(false)} />
        </Suspense>
      )}
      <BoardBar content={board.Content} view={view} project={board.ProjectId} />
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

/** Page of a board: viewing, and editing with permission. */
const BoardPage = () => {
  const t = useWords()
  const go = useGo()
  const [params, setParams] = useSearchParams()
  const id = Number(params.get('Id'))
  const phone = usePhone()
  const mayEdit = useMay('m10310.edit')
  const { data, error, refetch } = useRow(visualBoard, id)
  if (error && !data) {
    if (error.status !== 404) return <Failure fault={error} retry={() => refetch()} />
    return (
      <article className="page">
        <EmptyList text={t('detail.gone', { thing: t('visualBoard') })} action={{ label: t('menu.m10310'), run: () => go(allBoards) }} />
      </article>
    )
  }
  if (!data) return null
  const edits = (on: boolean) =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old)
        if (on) next.set('edit', '1')
        else next.delete('edit')
        return next
      },
      { replace: true },
    )
  const edit = mayEdit && !phone ? () => edits(true) : undefined
  if (edit && params.get('edit'))
    return (
      <Suspense fallback={null}>
        <Editor key={id} board={data as Board} close={() => edits(false)} />
      </Suspense>
    )
  return <Look key={id} board={data as Board} edit={edit} />
}
export default BoardPage
