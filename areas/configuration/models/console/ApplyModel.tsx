import { App, Checkbox } from 'antd'
import { useState } from 'react'
import { type Shown, useRows } from '../../../../console/kernel/api.ts'
import { RefsInput } from '../../../../console/kernel/form/RefsInput.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { device } from '../../devices/contract.ts'
import { modelCalls, type proModel } from '../contract.ts'
import { AppliedDialog } from './AppliedDialog.tsx'

type Props = { row: Shown<typeof proModel> /** Preselected; all of its devices if absent. */; devices?: number[]; close: () => void }
const mostDevices = 1000

/** Previews the changes that a model makes to its devices, then applies it. */
const ApplyModel = ({ row: model, devices, close }: Props) => {
  const t = useWords()
  const { message } = App.useApp()
  const its = useRows(device, { PageIndex: 1, PageSize: mostDevices, ModelId: model.Id }, { enabled: !devices })
  const [chosen, choose] = useState(devices)
  const [removeGone, setRemoveGone] = useState(false)
  const [renames, setRenames] = useState(false)
  const DeviceIds = chosen ?? (its.data?.Items ?? []).map((d) => d.Id)
  return (
    <AppliedDialog
      title={t('model.applyTitle', { name: model.ModelName, version: model.Version })}
      okText={t('model.apply')}
      call={modelCalls.apply}
      body={DeviceIds.length ? { ModelId: model.Id, DeviceIds, RemoveGone: removeGone ? 1 : 0 } : undefined}
      more={{ RenameInRules: renames ? 1 : 0 }}
      renames={renames}
      done={({ Version }) => message.success(t('model.applied', { version: Version }))}
      close={close}
    >
      {(preview) => (
        <>
          <RefsInput
            to={device}
            value={DeviceIds}
            onChange={choose}
            placeholder={t('model.applyDevices')}
            aria-label={t('model.applyDevices')}
          />
          <Checkbox checked={removeGone} onChange={(e) => setRemoveGone(e.target.checked)}>
            {t('model.removeGone')}
          </Checkbox>
          {(preview?.Rules.length ?? 0) > 0 && (
            <Checkbox checked={renames} onChange={(e) => setRenames(e.target.checked)}>
              {t('model.renameInRules')}
            </Checkbox>
          )}
        </>
      )}
    </AppliedDialog>
  )
}
export default ApplyModel
