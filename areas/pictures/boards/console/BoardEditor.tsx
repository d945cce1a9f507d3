import { PlusOutlined, RedoOutlined, SettingOutlined, UndoOutlined } from '@ant-design/icons'
import { App, Button, Dropdown } from 'antd'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { useLeaveGuard } from '../../../../console/kernel/form/useLeaveGuard.ts'
import type { Fault } from '../../../../console/session/request.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Attachment } from '../../../../contract/field.ts'
import { telemetryCalls } from '../../../../contract/telemetry.ts'
import { type BoardContent, type Kind, kinds, most, visualBoardCalls, type Widget } from '../contract.ts'
import { BoardBar } from './BoardBar.tsx'
import { BoardShown } from './BoardGrid.tsx'
import type { Board } from './BoardPage.tsx'
import { BoardSettings } from './BoardSettings.tsx'
import { EditGrid } from './EditGrid.tsx'
import { below } from './grid.ts'
import { useBoardView } from './useBoardView.ts'
import { useHistory } from './useHistory.ts'
import { WidgetForm } from './WidgetForm.tsx'

type Edited = { content: BoardContent; images: readonly Attachment[] }

const sizes: Partial<Record<Kind, [w: number, h: number]>> = {
  ...{
    value: [6, 3],
    gauge: [5, 5],
    text: [12, 3],
    image: [6, 6],
    map: [12, 10],
    picture: [12, 10],
    alarms: [8, 8],
    devices: [8, 8],
    points: [12, 6],
    states: [12, 5],
  },
}
const newWidget = (Kind: Kind, widgets: readonly Widget[]): Widget => {
  const [W, H] = sizes[Kind] ?? [12, 7]
  let n = widgets.length
  while (widgets.some(({ Id }) => Id === `w${n}`)) n++
  return { Id: `w${n}`, Kind, X: 0, Y: below(widgets), W, H }
}

/** Saves all edits as one change. After a conflict, the user chooses which board to keep. */
const useSaveBoard = (board: Board, saved: () => void) => {
  const t = useWords()
  const { modal, message } = App.useApp()
  // The version on which the edits are based, even if others have saved since.
  const began = useRef(board.UpdateStamp)
  const { mutate, isPending } = useCommand(visualBoardCalls.update, ['visualBoard'], { meta: { quiet: true } })
  const save = ({ content, images }: Edited, stamp = began.current) => {
    const body = { Id: board.Id, UpdateStamp: stamp, Content: content, Images: images } as never
    mutate(
      { body },
      {
        onSuccess: saved,
        onError: ({ details, message: text }: Fault) => {
          const current = details.Current as { UpdateStamp?: number } | undefined
          if (!current) {
            const fields = Object.values(details.Fields ?? {}).flat()
            message.error(fields.length ? `${text} ${fields[0]}` : text)
            return
          }
          void modal.confirm({
            title: t('board.savedByOther'),
            content: t('board.savedByOtherText'),
            okText: t('board.saveMine'),
            cancelText: t('board.keepEditing'),
            onOk: () => save({ content, images }, current.UpdateStamp),
          })
        },
      },
    )
  }
  return { save, isPending }
}

const of = ['point', 'device']
/** The points that widgets name, and those of the chosen devices, which widgets may name by their names. */
const usePointsOf = ({ Widgets }: BoardContent, devices: readonly number[]) => {
  const ids = [...new Set(Widgets.flatMap((w) => w.Points ?? []))].join()
  const named = useCall(telemetryCalls.allParaInfo, { query: { ParaIds: ids }, of, enabled: ids !== '' })
  const near = useCall(telemetryCalls.paraInfo, { query: { DeviceIds: devices.join() }, of, enabled: devices.length > 0 })
  return useMemo(() => {
    const all = [...(named.data ?? []), ...(near.data ?? [])]
    return [...new Map(all.map((p) => [p.ParaId, p])).values()]
  }, [named.data, near.data])
}

/** Ctrl+Z and Ctrl+Shift+Z within the editor. Fields have an undo of their own. */
const useUndoKeys = (undo: (() => void) | undefined, redo: (() => void) | undefined) => {
  const box = useRef<HTMLDivElement>(null)
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isText = (event.target as HTMLElement).closest('input, textarea')
    if (isText || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return
    event.preventDefault()
    ;(event.shiftKey ? redo : undo)?.()
  })
  useEffect(() => {
    const element = box.current!
    const listener = (event: KeyboardEvent) => press(event)
    element.addEventListener('keydown', listener)
    return () => element.removeEventListener('keydown', listener)
  }, [])
  return box
}

/** Board editor: palette, grid, and the settings of the selected widget. */
const BoardEditor = ({ board, close }: { board: Board; close: () => void }) => {
  const t = useWords()
  const start = useRef<Edited>({ content: board.Content, images: board.Images ?? [] })
  const { now, set, undo, redo } = useHistory(start.current)
  const [chosen, choose] = useState<string>()
  const [isSetting, setSetting] = useState(false)
  const isSaved = useRef(false)
  const { content, images } = now
  const view = useBoardView(content)
  const points = usePointsOf(content, view.devices)
  const { save, isPending } = useSaveBoard(board, () => {
    isSaved.current = true
    close()
  })
  const isDirty = () => !isSaved.current && now !== start.current
  const question = {
    title: t('board.discard'),
    okText: t('board.discardThem'),
    okButtonProps: { danger: true },
    cancelText: t('board.keepEditing'),
  }
  const leave = useLeaveGuard({ isDirty, close, question })
  const change = (Widgets: readonly Widget[]) => set({ ...now, content: { ...content, Widgets: [...Widgets] } })
  const widget = content.Widgets.find(({ Id }) => Id === chosen)
  const add = (Kind: Kind) => {
    const made = newWidget(Kind, content.Widgets)
    change([...content.Widgets, made])
    choose(made.Id)
  }
  const box = useUndoKeys(undo, redo)
  const hasDevice = content.Variables.some(({ Name }) => Name === 'device')
  return (
    <div ref={box}>
      <Page
        title={board.Title}
        actions={
          <>
            <Button icon={<UndoOutlined />} disabled={!undo} onClick={undo} aria-label={t('board.undo')} title={t('board.undo')} />
            <Button icon={<RedoOutlined />} disabled={!redo} onClick={redo} aria-label={t('board.redo')} title={t('board.redo')} />
            <Button icon={<SettingOutlined />} onClick={() => setSetting(true)}>
              {t('board.settings')}
            </Button>
            <Dropdown
              trigger={['click']}
              disabled={content.Widgets.length >= most.widgets}
              menu={{
                items: kinds.map((key) => ({ key, label: t(`board.kind.${key}`) })),
                onClick: ({ key }) => add(key as Kind),
              }}
            >
              <Button icon={<PlusOutlined />}>{t('board.add')}</Button>
            </Dropdown>
            <Button onClick={leave}>{t('cancel')}</Button>
            <Button type="primary" loading={isPending} onClick={() => save(now)}>
              {t('save')}
            </Button>
          </>
        }
      >
        <BoardBar content={content} view={view} project={board.ProjectId} />
        <p className="soft">{t(content.Widgets.length ? 'board.editHelp' : 'board.addFirst')}</p>
        <div className={widget ? 'board-split' : undefined}>
          <BoardShown id={board.Id} stored={board.Content} view={view} points={points}>
            <EditGrid widgets={content.Widgets} chosen={chosen} choose={choose} change={change} />
          </BoardShown>
          {widget && (
            <WidgetForm
              key={widget.Id}
              widget={widget}
              change={(next) => change(content.Widgets.map((w) => (w.Id === next.Id ? next : w)))}
              points={points}
              variable={hasDevice ? { device: view.chosen('device') } : undefined}
              images={images}
              setImages={(next) => set({ ...now, images: next })}
              project={board.ProjectId ?? view.chosen('project')}
              close={() => choose(undefined)}
            />
          )}
        </div>
        {isSetting && <BoardSettings content={content} change={(next) => set({ ...now, content: next })} close={() => setSetting(false)} />}
      </Page>
    </div>
  )
}
export default BoardEditor
