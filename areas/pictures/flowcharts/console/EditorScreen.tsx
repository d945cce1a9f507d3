import './editor/editor.css'
import { CompressOutlined, MinusOutlined, PlusOutlined } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
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
import { CheckList } from './editor/CheckList.tsx'
import { add, newId } from './editor/changes.ts'
import { EditCanvas } from './editor/EditCanvas.tsx'
import type { Place } from './editor/gestures.ts'
import { Obstacle } from './editor/Obstacle.tsx'
import { type Carried, carriedType, Palette } from './editor/Palette.tsx'
import { Panels } from './editor/Panels.tsx'
import type { Points } from './editor/Source.tsx'
import { Tool, Tools } from './editor/Tools.tsx'
import { useEditor } from './editor/useEditor.ts'
import { useEditorKeys } from './editor/useEditorKeys.ts'
import { useFindings } from './editor/useFindings.ts'
import { showItems } from './editor/view.ts'
import { PictureView, useSymbols } from './PictureView.tsx'
import PublishDialog from './PublishDialog.tsx'

type Symbols = ReadonlyMap<string, PictureSymbol>
const noSymbols: Symbols = new Map()
const noPoints: Points = []
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
  const points = known ?? noPoints
  const openedIds = useMemo(() => opened.Points.map(({ ParaId }) => ParaId), [opened])
  const checked = useFindings({ editor, symbols: symbols ?? noSymbols, points: known, opened: openedIds })
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
  const lead = (item: string) => {
    setPublishing(false)
    select(new Set([item]))
    showItems(desk.current, scene, new Set([item]), symbols ?? noSymbols, zoom)
  }
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
          <Panels editor={editor} symbols={symbols ?? noSymbols} points={points} checked={checked} lead={lead} />
        </div>
      )}
      {isPublishing && (
        <PublishDialog
          row={chart}
          checks={<CheckList {...checked} choose={lead} />}
          close={() => setPublishing(false)}
          done={() => go('/projectManagement/configManagement')}
        />
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
