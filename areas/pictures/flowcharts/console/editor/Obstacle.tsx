import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useMobile } from '../../../../../console/theme/useWidth.ts'
import { useWords } from '../../../../../console/words/words.ts'
import { Conflict } from './Conflict.tsx'
import type { Editor } from './useEditor.ts'

const Held = ({ editor }: { editor: Editor }) => {
  const t = useWords()
  const { lease, takeOver, isUnsaved } = editor
  return (
    <Alert
      type="warning"
      showIcon
      title={[t('edit.held', { name: lease.UserName ?? '' }), t(isUnsaved ? 'edit.held.mine' : 'edit.held.look')].join(' ')}
      action={<Button onClick={takeOver}>{t('edit.takeOver')}</Button>}
    />
  )
}

/** Reason why the draft cannot be saved: another user has the lease, or the server refused it. */
export const Obstacle = ({ editor }: { editor: Editor }) => {
  const t = useWords()
  const isMobile = useMobile()
  const [compares, setCompares] = useState(false)
  const { lease, saving, save, scene } = editor
  if (!lease.Mine) return <Held editor={editor} />
  if (saving.is === 'conflict' && saving.theirs) {
    const { theirs } = saving
    const close = () => setCompares(false)
    const sides = {
      takeTheirs: () => {
        close()
        void editor.takeTheirs()
      },
      saveMine: () => {
        close()
        void save(scene, true)
      },
    }
    return (
      <>
        <Alert
          type="warning"
          showIcon
          title={t(saving.isKept ? 'edit.kept' : 'edit.conflict')}
          action={<Button onClick={() => setCompares(true)}>{t('edit.compare')}</Button>}
        />
        {compares && <Conflict mine={scene} {...{ theirs, close }} {...sides} />}
      </>
    )
  }
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
