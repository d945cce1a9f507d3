import './editor/editor.css'
import { AimOutlined, CompressOutlined, MinusOutlined, PlusOutlined, SearchOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useCall, useRows } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useGo } from '../../../../console/shell/To.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { OwnSymbol } from '../../../../contract/picture/drawing.ts'
import type { Scene } from '../../../../contract/picture/scene.ts'
import type { PictureSymbol } from '../../../../contract/picture/symbol.ts'
import { flowchart, flowchartCalls, type Opened } from '../contract.ts'
import { basics, itemOf, symbolItem } from './editor/basics.ts'
import { CheckList } from './editor/CheckList.tsx'
import { CommandPalette } from './editor/CommandPalette.tsx'
import { add, newId } from './editor/changes.ts'
import { EditCanvas } from './editor/EditCanvas.tsx'
import type { Place } from './editor/gestures.ts'
import { Obstacle } from './editor/Obstacle.tsx'
import { carrying } from './editor/ownSymbols.ts'
import { type Carried, carriedBy, Palette } from './editor/Palette.tsx'
import { Panels } from './editor/Panels.tsx'
import { ReplaceDevice } from './editor/ReplaceDevice.tsx'
import type { Points } from './editor/Source.tsx'
import { Tool, Tools } from './editor/Tools.tsx'
import { useAllSymbols } from './editor/useAllSymbols.ts'
import { useDesk } from './editor/useDesk.ts'
import { type Editor, useEditor } from './editor/useEditor.ts'
import { useEditorKeys } from './editor/useEditorKeys.ts'
import { useFindings } from './editor/useFindings.ts'
import { OwnTools } from './own/OwnTools.tsx'
import { useOwnSymbols } from './own/useOwnSymbols.ts'
import { PictureView, useSymbols } from './PictureView.tsx'
import PublishDialog from './PublishDialog.tsx'
import { usePictureData } from './usePictureData.ts'

type Symbols = ReadonlyMap<string, PictureSymbol>
const noSymbols: Symbols = new Map()
const noPoints: Points = []
/** The draft with live values, at the same position and zoom. */
const Preview = ({ id, scene, zoom }: { id: number; scene: Scene; zoom: number }) => {
  const place = { Id: id, Draft: true }
  const { data, error } = useCall(flowchartCalls.open, { body: place, of: [flowchart.name] })
  const { curves, rows, marks } = usePictureData(place, data)
  const live = useMemo(() => data && { ...data, Alarms: marks ?? data.Alarms }, [data, marks])
  if (error) return <Failure fault={error} />
  return (
    <div className="edit-sheet edit-live" style={{ width: scene.width * zoom, height: scene.height * zoom }}>
      {live && <PictureView opened={live} curves={curves} rows={rows} />}
    </div>
  )
}

/** Content next to the sheet; inactive during the preview, or while another user edits. */
const Beside = ({ isIdle, children }: { isIdle: boolean; children: ReactNode }) => (
  <div className="edit-beside" inert={isIdle}>
    {children}
  </div>
)

/** The other published pictures of the project, by name. */
const usePictures = ({ Id, ProjectId }: Opened['Flowchart']) => {
  const { data } = useRows(flowchart, { PageSize: 200, State: 1, ProjectId, OrderColumn: 'FlowchartName', OrderType: 'asc' })
  return useMemo(() => new Map((data?.Items ?? []).flatMap((row) => (row.Id === Id ? [] : [[row.Id, row.FlowchartName]]))), [data, Id])
}

/** Adds the content of a palette entry or a drag. */
const usePut = (editor: Editor, all: Symbols, points: Points, own: readonly OwnSymbol[], pictures: ReadonlyMap<number, string>) => {
  const t = useWords()
  const { message } = App.useApp()
  const { scene, change, select, layer } = editor
  return (what: Carried, at: Place = [scene.width / 2, scene.height / 2]) => {
    const id = newId(scene)
    const point = 'point' in what ? points.find(({ ParaId }) => ParaId === what.point) : undefined
    const symbol = 'symbol' in what ? all.get(what.symbol) : undefined
    const value = point && { ...basics.value!(), of: `#${point.ParaId}`, label: point.ParaName }
    const [picture] = pictures.keys()
    const isView = 'basic' in what && what.basic === 'view'
    if (isView && picture === undefined) return message.info(t('edit.noPictures'))
    const basic = 'basic' in what ? basics[what.basic]?.() : undefined
    const drawn = symbol && { ...symbolItem(symbol), ...(symbol.name ? { name: symbol.name } : {}) }
    const made = basic ? { ...basic, ...(isView ? { picture } : {}) } : (drawn ?? value)
    if (!made) return
    change('add', (now) => carrying(add(now, itemOf({ ...made, ...(layer ? { layer } : {}) }, id, at)), own))
    select(new Set([id]))
  }
}

const Drawing = ({ opened }: { opened: Opened }) => {
  const t = useWords()
  const go = useGo()
  const chart = opened.Flowchart
  const editor = useEditor(opened)
  const { scene, select, selected } = editor
  const own = useOwnSymbols(chart.EnterpriseId)
  const all = useAllSymbols(own)
  const loaded = useSymbols(scene)
  const symbols = loaded ?? noSymbols
  const publishes = useMay('m10130.publish')
  const [isLive, setLive] = useState(false)
  const [dialog, setDialog] = useState<'publish' | 'commands' | 'replace'>()
  const { data: known } = useCall(flowchartCalls.points, { query: { Id: chart.Id }, of: ['point', 'device'] })
  const points = known ?? noPoints
  const openedIds = useMemo(() => opened.Points.map(({ ParaId }) => ParaId), [opened])
  const checked = useFindings({ editor, symbols, points: known, opened: openedIds })
  const { desk, zoom, fit, show, zoomTo, zoomBy } = useDesk(scene, symbols)
  const pictures = usePictures(chart)
  const put = usePut(editor, all, points, own, pictures)
  const zoomIn = () => zoomTo(selected)
  const commands = () => setDialog('commands')
  const replace = () => setDialog('replace')
  const canDraw = !isLive && editor.lease.Mine
  useEditorKeys(editor, symbols, canDraw && !dialog, { '/': commands, z: zoomIn })
  useEffect(() => {
    document.title = chart.FlowchartName
  }, [chart.FlowchartName])
  const lead = (item: string) => {
    setDialog(undefined)
    select(new Set([item]))
    show(new Set([item]))
  }
  const isSaved = editor.saving.is === 'saved'
  return (
    <article className="page picture-page edit-page">
      <div className="picture-page-head">
        <h1>{chart.FlowchartName}</h1>
        <span className="soft" role="status">
          {t(`edit.saving.${editor.saving.is}`)}
        </span>
        {!isLive && <Tools editor={editor} symbols={symbols} />}
        <Tool label={t('edit.commands')} icon={<SearchOutlined />} disabled={!canDraw} run={commands} />
        <Tool label={t('pictures.out')} icon={<MinusOutlined />} run={() => zoomBy(0.8)} />
        <Tool label={t('pictures.in')} icon={<PlusOutlined />} run={() => zoomBy(1.25)} />
        <Tool label={t('edit.zoomTo')} icon={<AimOutlined />} disabled={!selected.size} run={zoomIn} />
        <Tool label={t('pictures.fit')} icon={<CompressOutlined />} run={fit} />
        <Button onClick={() => setLive(!isLive)} disabled={!isSaved}>
          {t(isLive ? 'edit.draw' : 'edit.live')}
        </Button>
        <Button onClick={() => go(`/projectManagement/configHistory?Id=${chart.Id}`)}>{t('pictures.versions')}</Button>
        {publishes && (
          <Button type="primary" disabled={!isSaved} onClick={() => setDialog('publish')}>
            {t('pictures.publish')}
          </Button>
        )}
      </div>
      <div className={`edit-room ${editor.lease.Mine ? '' : 'edit-locked'}`}>
        <Beside isIdle={isLive || !editor.lease.Mine}>
          <Palette points={points} all={all} add={put} ownTools={<OwnTools {...{ editor, own }} company={chart.EnterpriseId} />} />
        </Beside>
        <section ref={desk} className="edit-desk" aria-label={t('edit.desk')} {...(isLive ? { tabIndex: 0 } : {})}>
          {isLive ? (
            <Preview id={chart.Id} scene={scene} zoom={zoom} />
          ) : (
            loaded && (
              <EditCanvas editor={editor} symbols={symbols} pictures={pictures} zoom={zoom} drop={(at, data) => put(carriedBy(data), at)} />
            )
          )}
        </section>
        <Beside isIdle={isLive || !editor.lease.Mine}>
          <Panels editor={editor} symbols={all} points={points} project={chart.ProjectId} {...{ checked, lead, replace }} />
        </Beside>
        <div className="edit-obstacle">
          <Obstacle editor={editor} />
        </div>
      </div>
      {dialog === 'commands' && (
        <CommandPalette
          {...{ editor, symbols, all }}
          deeds={{ put, lead, zoomIn, fit, replace, live: () => isSaved && setLive(true) }}
          close={() => setDialog(undefined)}
        />
      )}
      {dialog === 'replace' && <ReplaceDevice editor={editor} points={points} close={() => setDialog(undefined)} />}
      {dialog === 'publish' && (
        <PublishDialog
          row={chart}
          checks={<CheckList {...checked} choose={lead} />}
          close={() => setDialog(undefined)}
          done={() => go('/projectManagement/configManagement')}
        />
      )}
    </article>
  )
}

/** Editor of a picture. */
const EditorScreen = () => {
  const t = useWords()
  const id = Number(useSearchParams()[0].get('Id') ?? 0)
  // Loaded once: later saves of others are reported, and never replace the user's drawing.
  const { data, error, refetch } = useCall(flowchartCalls.open, {
    body: { Id: id, Draft: true },
    of: [`${flowchart.name} ${id}`],
    enabled: id > 0,
  })
  if (!id) return <EmptyList text={t('pictures.chooseFirst')} />
  if (error) return <Failure fault={error} retry={() => refetch()} />
  return data?.Flowchart.Id === id ? <Drawing key={id} opened={data} /> : null
}
export default EditorScreen
