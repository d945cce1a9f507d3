import { CloudUploadOutlined, PlusSquareOutlined } from '@ant-design/icons'
import { Button, Tag } from 'antd'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type Shown, useCommand } from '../../../../console/kernel/api.ts'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { protocolOf } from '../../../../contract/protocols/index.ts'
import { ColumnTable } from '../../points/console/PointTable.tsx'
import { WithSheet } from '../../points/console/sheet/WithSheet.tsx'
import { modelCalls, modelPara, pointTempMenu, proModel } from '../contract.ts'
import { useModel } from './useModel.ts'
import './models.css'

const PublishDialog = lazyScreen(() => import('./PublishDialog.tsx'), null)
const ApplyModel = lazyScreen(() => import('./ApplyModel.tsx'), null)
const usual = ['ParaName', 'ParaKey', 'ParaUnitName', 'RegisterType', 'Address', 'SlaveNumber', 'ParaDataType', 'AlarmLow', 'AlarmHigh']

/** The published version of a model, and the buttons to publish and apply it. */
const ModelState = ({ row }: { row: Shown<typeof proModel> }) => {
  const t = useWords()
  const [mayPublish, mayApply] = [useMay('m10110.publish'), useMay('m10110.apply')]
  const [dialog, open] = useState<'publish' | 'apply'>()
  const { Version, Edits } = row
  const state = Version === 0 ? 'new' : Edits ? 'draft' : 'published'
  const close = () => open(undefined)
  return (
    <div className="model-state">
      <span>{t(`model.state.${state}`, { version: Version, count: Edits })}</span>
      {row.Protocol !== 0 && <Tag>{t(`proModel.Protocol.${row.Protocol}`)}</Tag>}
      {mayPublish && Edits > 0 && (
        <Button type="primary" icon={<CloudUploadOutlined />} onClick={() => open('publish')}>
          {t('model.publish')}
        </Button>
      )}
      {mayApply && Version > 0 && (
        <Button icon={<PlusSquareOutlined />} onClick={() => open('apply')}>
          {t('model.apply')}
        </Button>
      )}
      {dialog === 'publish' && <PublishDialog row={row} close={close} />}
      {dialog === 'apply' && <ApplyModel row={row} close={close} />}
    </div>
  )
}

const ModelTable = ({ id, protocol }: { id: number; protocol: number }) => {
  const fixed = useMemo(() => ({ ModelId: id }), [id])
  const { mutateAsync } = useCommand(modelCalls.cells, [modelPara.name], { meta: { quiet: true } })
  return (
    <WithSheet of={modelPara} fixed={fixed} send={(Rows) => mutateAsync({ body: { ModelId: id, Rows } })}>
      {(button) => <ColumnTable of={modelPara} fixed={fixed} usual={usual} protocol={protocolOf(protocol)} tools={button} />}
    </WithSheet>
  )
}

/** The points of a model. A folder narrows the choice of models. */
const ModelPointScreen = () => {
  const t = useWords()
  const [params, setParams] = useSearchParams()
  const [id, folder] = [Number(params.get('ModelId')) || null, Number(params.get('FolderId')) || null]
  const { data: model } = useModel(id ?? undefined)
  const choose = (name: string, next: number | null) =>
    setParams(next ? { ...(folder && name === 'ModelId' ? { FolderId: String(folder) } : {}), [name]: String(next) } : {}, {
      replace: true,
    })
  return (
    <Page
      title={t('menu.m10111')}
      actions={
        <>
          <RefInput
            to={pointTempMenu}
            value={folder}
            onChange={(next) => choose('FolderId', next)}
            placeholder={t('model.chooseFolder')}
            aria-label={t('pointTempMenu')}
            style={{ width: 180 }}
          />
          <RefInput
            to={proModel}
            value={id}
            onChange={(next) => choose('ModelId', next)}
            {...(folder && { where: { FolderId: folder } })}
            placeholder={t('model.choose')}
            aria-label={t('model.choose')}
            allowClear={false}
            style={{ width: 240 }}
          />
        </>
      }
    >
      {model && <ModelState row={model} />}
      {id ? <ModelTable key={id} id={id} protocol={model?.Protocol ?? 0} /> : <EmptyList text={t('model.chooseText')} />}
    </Page>
  )
}
export default ModelPointScreen
