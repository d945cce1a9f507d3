import './editor/editor.css'
import {
  AlignCenterOutlined,
  CompressOutlined,
  CopyOutlined,
  DeleteOutlined,
  GroupOutlined,
  MinusOutlined,
  PlusOutlined,
  RedoOutlined,
  RotateRightOutlined,
  UndoOutlined,
  UngroupOutlined,
} from '@ant-design/icons'
import { Alert, Button, Dropdown, Tooltip } from 'antd'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useCall } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useGo } from '../../../../console/shell/To.tsx'
import { useMobile } from '../../../../console/theme/useWidth.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { PictureSymbol } from '../../../../contract/picture/symbol.ts'
import { flowchart, flowchartCalls, type Opened } from '../contract.ts'
import { basics, itemOf, symbolItem } from './editor/basics.ts'
import { add, align, copy, distribute, type Edge, group, newId, order, remove, turn, ungroup } from './editor/changes.ts'
import { EditCanvas } from './editor/EditCanvas.tsx'
import type { Place } from './editor/gestures.ts'
import { type Carried, carriedType, Palette } from './editor/Palette.tsx'
import { Panels } from './editor/Panels.tsx'
import { type Editor, useEditor } from './editor/useEditor.ts'
import { useEditorKeys } from './editor/useEditorKeys.ts'
import { PictureView, useSymbols } from './PictureView.tsx'
import PublishDialog from './PublishDialog.tsx'

const edges: readonly Edge[] = ['left', 'centre', 'right', 'top', 'middle', 'bottom']

type ToolProps = { label: string; icon: ReactNode; disabled?: boolean; run: () => void }
const Tool = ({ label, icon, disabled = false, run }: ToolProps) => (
  <Tooltip title={label}>
    <Button type="text" icon={icon} aria-label={label} disabled={disabled} onClick={run} />
  </Tooltip>
)

type Symbols = ReadonlyMap<string, PictureSymbol>
const noSymbols: Symbols = new Map()
/** What is done to the selection. */
const Tools = ({ editor, symbols }: { editor: Editor; symbols: Symbols }) => {
  const t = useWords()
  const { scene, selected, change, select, history } = editor
  const [none, few] = [selected.size === 0, selected.size < 2]
  const aligned = edges.map((edge) => ({
    key: edge,
    label: t(`edit.align.${edge}`),
    onClick: () => change('align', (now) => align(now, selected, edge, symbols)),
  }))
  const spread = (['x', 'y'] as const).map((axis) => ({
    ...{ key: axis, label: t(`edit.distribute.${axis}`), disabled: selected.size < 3 },
    onClick: () => change('distribute', (now) => distribute(now, selected, axis, symbols)),
  }))
  const ordered = (['front', 'forward', 'backward', 'back'] as const).map((to) => ({
    key: to,
    label: t(`edit.order.${to}`),
    onClick: () => change('order', (now) => order(now, selected, to)),
  }))
  const double = () => {
    const made = copy(scene, scene, selected, 16, 16)
    change('copy', () => made.scene)
    select(made.made)
  }
  const join = () => {
    const made = group(scene, selected, symbols)
    if (!made) return
    change('group', () => made.scene)
    select(new Set([made.id]))
  }
  const isGroup = scene.items.some((item) => item.kind === 'group' && selected.has(item.id))
  return (
    <>
      <Tool label={t('edit.undo')} icon={<UndoOutlined />} disabled={history.at === 0} run={editor.undo} />
      <Tool label={t('edit.redo')} icon={<RedoOutlined />} disabled={history.at === history.steps.length - 1} run={editor.redo} />
      <Tool label={t('edit.copy')} icon={<CopyOutlined />} disabled={none} run={double} />
      <Tool
        label={t('edit.turn')}
        icon={<RotateRightOutlined />}
        disabled={none}
        run={() => change('turn', (now) => turn(now, selected, 90))}
      />
      <Tool label={t('edit.group')} icon={<GroupOutlined />} disabled={few} run={join} />
      <Tool
        label={t('edit.ungroup')}
        icon={<UngroupOutlined />}
        disabled={!isGroup}
        run={() => change('ungroup', (now) => ungroup(now, selected))}
      />
      <Dropdown disabled={none} menu={{ items: [...(few ? [] : aligned), ...(few ? [] : spread), ...ordered] }} trigger={['click']}>
        <Button type="text" icon={<AlignCenterOutlined />} aria-label={t('edit.arrange')} />
      </Dropdown>
      <Tool
        label={t('edit.remove')}
        icon={<DeleteOutlined />}
        disabled={none}
        run={() => change('remove', (now) => remove(now, selected))}
      />
    </>
  )
}

/** What stands between who edits and the stored draft. */
const Obstacle = ({ editor, reload }: { editor: Editor; reload: () => void }) => {
  const t = useWords()
  const { lease, takeOver, saving, save, scene } = editor
  if (!lease.Mine || saving.is === 'held')
    return (
      <Alert
        type="warning"
        showIcon
        title={t('edit.held', { name: lease.UserName ?? '' })}
        action={<Button onClick={takeOver}>{t('edit.takeOver')}</Button>}
      />
    )
  if (saving.is === 'conflict')
    return (
      <Alert
        type="warning"
        showIcon
        title={t('edit.conflict')}
        action={
          <>
            <Button onClick={reload}>{t('edit.theirs')}</Button> <Button onClick={() => save(scene, true)}>{t('edit.mine')}</Button>
          </>
        }
      />
    )
  if (saving.is !== 'failed') return null
  const named = Object.entries(saving.fault?.details.Fields ?? {}).map(
    ([field, texts]) => `${field.split('.')[1] ?? ''}: ${texts.join(' ')}`,
  )
  return (
    <Alert
      type="error"
      showIcon
      title={[saving.fault?.message, ...named.slice(0, 3)].join(' ')}
      action={<Button onClick={() => save(scene)}>{t('retry')}</Button>}
    />
  )
}

/** The draft with live values, as it will look when it is published. */
const Preview = ({ id }: { id: number }) => {
  const { data, error } = useCall(flowchartCalls.open, { body: { Id: id, Draft: true }, of: ['alarmInfo'] })
  if (error) return <Failure fault={error} />
  return data ? <PictureView opened={data} /> : null
}

const Drawing = ({ opened, reload }: { opened: Opened; reload: () => void }) => {
  const t = useWords()
  const go = useGo()
  const chart = opened.Flowchart
  const editor = useEditor(opened)
  const symbols = useSymbols(editor.scene)
  const publishes = useMay('m10130.publish')
  const [zoom, setZoom] = useState(0.75)
  const desk = useRef<HTMLDivElement>(null)
  const [isLive, setLive] = useState(false)
  const [isPublishing, setPublishing] = useState(false)
  const sceneWidth = editor.scene.width
  const { data: known } = useCall(flowchartCalls.points, { query: { Id: chart.Id }, of: ['point', 'device'] })
  const points = known ?? []
  const openedIds = useMemo(() => opened.Points.map(({ ParaId }) => ParaId), [opened])
  const isMobile = useMobile()
  const fit = useCallback(() => {
    const room = (desk.current?.clientWidth ?? 0) - 40
    if (room > 0) setZoom(Math.min(1, room / sceneWidth))
  }, [sceneWidth])
  useEffect(fit, [])
  useEditorKeys(editor, symbols ?? noSymbols, !isLive && !isPublishing && editor.lease.Mine)
  useEffect(() => {
    document.title = chart.FlowchartName
  }, [chart.FlowchartName])
  const { scene, change, select } = editor
  const put = (what: Carried, at: Place) => {
    const id = newId(scene)
    const point = 'point' in what ? points.find(({ ParaId }) => ParaId === what.point) : undefined
    const made =
      'basic' in what
        ? basics[what.basic]?.()
        : 'symbol' in what
          ? symbols && symbolItem(symbolOf(what.symbol))
          : { ...basics.value!(), of: `#${point?.ParaId}`, label: point?.ParaName }
    if (!made) return
    change('add', (now) => add(now, itemOf({ ...made, ...(editor.layer ? { layer: editor.layer } : {}) }, id, at)))
    select(new Set([id]))
  }
  const symbolOf = (id: string) =>
    symbols?.get(id) ?? { id: id as PictureSymbol['id'], width: 48, height: 48, ports: [], parts: [], drives: [] }
  const middle: Place = [scene.width / 2, scene.height / 2]
  return (
    <article className="page picture-page edit-page">
      <div className="picture-page-head">
        <h1>{chart.FlowchartName}</h1>
        <span className="soft" role="status">
          {t(`edit.saving.${editor.saving.is}`)}
        </span>
        {!isLive && <Tools editor={editor} symbols={symbols ?? noSymbols} />}
        <Tool label={t('pictures.out')} icon={<MinusOutlined />} run={() => setZoom((now) => Math.max(0.1, now / 1.25))} />
        <Tool label={t('pictures.in')} icon={<PlusOutlined />} run={() => setZoom((now) => Math.min(4, now * 1.25))} />
        {!isLive && <Tool label={t('pictures.fit')} icon={<CompressOutlined />} run={fit} />}
        <Button onClick={() => setLive(!isLive)} disabled={editor.saving.is !== 'saved'}>
          {t(isLive ? 'edit.draw' : 'edit.live')}
        </Button>
        <Button onClick={() => go(`/projectManagement/configHistory?Id=${chart.Id}`)}>{t('pictures.versions')}</Button>
        {publishes && (
          <Button type="primary" disabled={editor.saving.is !== 'saved'} onClick={() => setPublishing(true)}>
            {t('pictures.publish')}
          </Button>
        )}
      </div>
      <Obstacle editor={editor} reload={reload} />
      {isMobile && <Alert type="info" showIcon title={t('edit.small')} />}
      {isLive ? (
        <div className="picture-stage">
          <Preview id={chart.Id} />
        </div>
      ) : (
        <div className={`edit-room ${editor.lease.Mine ? '' : 'edit-locked'}`}>
          <Palette points={points} add={(what) => put(what, middle)} />
          <div ref={desk} className="edit-desk">
            {symbols && (
              <EditCanvas
                editor={editor}
                symbols={symbols}
                zoom={zoom}
                drop={(at, data) => {
                  const carried = data.getData(carriedType)
                  if (carried) put(JSON.parse(carried) as Carried, at)
                }}
              />
            )}
          </div>
          <Panels editor={editor} symbols={symbols ?? noSymbols} points={known} opened={openedIds} />
        </div>
      )}
      {isPublishing && (
        <PublishDialog row={chart} close={() => setPublishing(false)} done={() => go('/projectManagement/configManagement')} />
      )}
    </article>
  )
}

/** Draws a picture. */
const EditorScreen = () => {
  const t = useWords()
  const id = Number(useSearchParams()[0].get('Id') ?? 0)
  const [round, setRound] = useState(0)
  // Read once: what others save is said, and never replaces what one draws.
  const { data, error, refetch } = useCall(flowchartCalls.open, {
    body: { Id: id, Draft: true },
    of: [`${flowchart.name} ${id}`],
    enabled: id > 0,
  })
  const reload = () => {
    localStorage.removeItem(`penstock.picture.${id}`)
    void refetch().then(() => setRound((now) => now + 1))
  }
  if (!id) return <EmptyList text={t('pictures.chooseFirst')} />
  if (error) return <Failure fault={error} retry={reload} />
  return data?.Flowchart.Id === id ? <Drawing key={`${id} ${round}`} opened={data} reload={reload} /> : null
}
export default EditorScreen
