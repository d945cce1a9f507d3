import { App, Input, Modal } from 'antd'
import { useState } from 'react'
import { useSave } from '../../../../console/kernel/api.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { reportGroup } from '../../report-groups/contract.ts'

/** Keeps the curves of a chart under a name, for everybody who sees the points. */
export const SaveGroup = ({ points, close }: { points: readonly ParaInfo[]; close: () => void }) => {
  const t = useWords()
  const { message } = App.useApp()
  const [name, setName] = useState('')
  const save = useSave(reportGroup)
  const GroupName = name.trim()
  const keep = () =>
    save.mutate(
      { GroupName, GroupType: 1, Points: points.map(({ ParaId }) => ({ ParaId })) },
      {
        onSuccess: () => {
          void message.success(t('trend.saved', { name: GroupName }))
          close()
        },
      },
    )
  return (
    <Modal
      open
      title={t('trend.saveGroup')}
      okText={t('save')}
      okButtonProps={{ disabled: !GroupName, loading: save.isPending }}
      onOk={keep}
      onCancel={close}
    >
      <Input
        value={name}
        maxLength={50}
        aria-label={t('reportGroup.GroupName')}
        placeholder={t('reportGroup.GroupName')}
        status={save.error ? 'error' : ''}
        onChange={(event) => setName(event.target.value)}
        onPressEnter={() => GroupName && keep()}
      />
      {save.error && <p role="alert">{save.error.message}</p>}
    </Modal>
  )
}
