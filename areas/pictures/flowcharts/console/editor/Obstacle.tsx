import { Alert, Button } from 'antd'
import { useMobile } from '../../../../../console/theme/useWidth.ts'
import { useWords } from '../../../../../console/words/words.ts'
import type { Editor } from './useEditor.ts'

/** Why the draft cannot be saved: somebody else holds the lease, or saving was refused. */
export const Obstacle = ({ editor, reload }: { editor: Editor; reload: () => void }) => {
  const t = useWords()
  const isMobile = useMobile()
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
  if (saving.is !== 'failed') return isMobile ? <Alert type="info" showIcon title={t('edit.small')} /> : null
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
