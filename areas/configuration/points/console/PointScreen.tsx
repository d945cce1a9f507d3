import { PartitionOutlined } from '@ant-design/icons'
import { Button, Drawer } from 'antd'
import { useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useRow } from '../../../../console/kernel/api.ts'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useMayCode } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useMobile } from '../../../../console/theme/useWidth.ts'
import { useWords } from '../../../../console/words/words.ts'
import { device } from '../../devices/contract.ts'
import { gateway } from '../../gateways/contract.ts'
import { type Chosen, type Kind, kinds, PlantTree } from './PlantTree.tsx'
import { PointTable } from './PointTable.tsx'
import { PushBar } from './PushBar.tsx'
import './plantTree.css'

/** Where the browser stores the width of the tree, px. */
const widthKey = 'penstock.plantTree'
const address = ({ kind, id }: Chosen) => `/projectManagement/pointManagement?${kind}=${id}`

/** The width of the tree. Its separator moves by drag or arrow keys. */
const useTreeWidth = (label: string) => {
  const [width, setWidth] = useState(() => Number(localStorage.getItem(widthKey)) || 260)
  const resize = (next: number) => {
    const within = Math.round(Math.min(480, Math.max(180, next)))
    localStorage.setItem(widthKey, String(within))
    setWidth(within)
  }
  const separator = {
    ...{ role: 'separator', tabIndex: 0, className: 'plant-separator', 'aria-orientation': 'vertical' as const, 'aria-label': label },
    ...{ 'aria-valuenow': width, 'aria-valuemin': 180, 'aria-valuemax': 480 },
    onPointerDown: (event: React.PointerEvent) => event.currentTarget.setPointerCapture(event.pointerId),
    onPointerMove: (event: React.PointerEvent) => event.buttons === 1 && resize(width + event.movementX),
    onKeyDown: ({ key }: React.KeyboardEvent) => resize(width + ({ ArrowLeft: -20, ArrowRight: 20 }[key] ?? 0)),
  }
  return { width, separator }
}

/** The gateways of a project, or the devices of a gateway. */
const Members = ({ chosen: { kind, id } }: { chosen: Chosen }) => {
  const fixed = useMemo(() => ({ [kind]: id }), [kind, id])
  if (kind === 'ProjectId')
    return (
      <ResourceList
        of={gateway}
        columns={['GatewayName', 'OnlineStatus', 'ConfigStatus', 'SN', 'LastHeartbeatTime']}
        states={{ OnlineStatus: { 0: 'offline', 2: 'offline' }, ConfigStatus: { 1: 'warning', 3: 'alarm' } }}
        fixed={fixed}
        prefix="g"
        readOnly
        link={({ Id }) => address({ kind: 'GatewayId', id: Id })}
      />
    )
  return (
    <ResourceList
      of={device}
      columns={['DeviceName', 'Status', 'ModelId', 'SlaveNumber', 'LastDataTime', 'ErrCount']}
      states={{ Status: { 0: 'offline', 2: 'alarm', 3: 'offline' } }}
      fixed={fixed}
      prefix="d"
      readOnly
      link={({ Id }) => address({ kind: 'DeviceId', id: Id })}
    />
  )
}

/** The content for the selected node: the points of a device, the devices of a gateway or the gateways of a project. */
const Content = ({ chosen }: { chosen: Chosen | undefined }) => {
  const t = useWords()
  const { data } = useRow(device, chosen?.kind === 'DeviceId' ? chosen.id : undefined)
  if (!chosen) return <EmptyList text={t('choose.deviceText')} />
  if (chosen.kind !== 'DeviceId') return <Members key={`${chosen.kind}/${chosen.id}`} chosen={chosen} />
  return (
    <>
      {data && <PushBar gatewayId={data.GatewayId} />}
      <PointTable key={chosen.id} deviceId={chosen.id} />
    </>
  )
}

/** The plant tree on the left, and the table of the selected node. On narrow screens the tree is a drawer. */
const PointScreen = () => {
  const t = useWords()
  const mobile = useMobile()
  const may = useMayCode()
  const [isOpen, setOpen] = useState(false)
  const [params, setParams] = useSearchParams()
  const kind = (Object.keys(kinds) as Kind[]).findLast((one) => Number(params.get(one)))
  const chosen = kind && { kind, id: Number(params.get(kind)) }
  const { width, separator } = useTreeWidth(t('tree.width'))
  const choose = (one: Chosen) => {
    setOpen(false)
    setParams({ [one.kind]: String(one.id) }, { replace: true })
  }
  const tree = <PlantTree chosen={chosen} choose={choose} />
  const content = <Content chosen={chosen} />
  return (
    <Page
      title={t('menu.m10104')}
      actions={
        <>
          {may('m10115') && <Link to="/projectManagement/pointList">{t('menu.m10115')}</Link>}
          {mobile && (
            <Button icon={<PartitionOutlined />} onClick={() => setOpen(true)}>
              {t('tree.title')}
            </Button>
          )}
          <RefInput
            to={device}
            value={chosen?.kind === 'DeviceId' ? chosen.id : null}
            onChange={(next) => next && choose({ kind: 'DeviceId', id: next })}
            placeholder={t('choose.device')}
            aria-label={t('choose.device')}
            allowClear={false}
            style={{ width: 280 }}
          />
        </>
      }
    >
      <div className="plant-layout">
        {!mobile && (
          <aside className="plant-side" style={{ width }}>
            {tree}
          </aside>
        )}
        {!mobile && <hr {...separator} />}
        <div className="plant-content">{content}</div>
      </div>
      {mobile && (
        <Drawer open={isOpen} placement="left" size={320} title={t('tree.title')} onClose={() => setOpen(false)}>
          {tree}
        </Drawer>
      )}
    </Page>
  )
}
export default PointScreen
