import { Tabs } from 'antd'
import { useSearchParams } from 'react-router'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { BackupList } from './BackupList.tsx'

/** Backups of the database with its readings, and of the files: create, download, restore. */
const BackupScreen = () => {
  const t = useWords()
  const [params, setParams] = useSearchParams()
  return (
    <Page title={t('menu.m10452')}>
      <Tabs
        activeKey={params.get('kind') === 'files' ? 'files' : 'db'}
        onChange={(kind) => setParams(kind === 'db' ? {} : { kind }, { replace: true })}
        items={(['db', 'files'] as const).map((kind) => ({
          key: kind,
          label: t(`backup.kind.${kind}`),
          children: <BackupList kind={kind} />,
        }))}
      />
    </Page>
  )
}
export default BackupScreen
