import { Button } from 'antd'
import { useState } from 'react'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { television } from '../contract.ts'
import { PairDialog, televisionAddress } from './PairDialog.tsx'
import { PlaylistInput } from './PlaylistInput.tsx'

/** Displays, their playlists, and when they were last seen. */
const TelevisionsScreen = () => {
  const t = useWords()
  const may = useMay(`${television.permission}.add`)
  const [isPairing, setPairing] = useState(false)
  return (
    <Page
      title={t('menu.m10135')}
      actions={
        may && (
          <Button type="primary" onClick={() => setPairing(true)}>
            {t('television.pair')}
          </Button>
        )
      }
    >
      <ResourceList
        of={television}
        columns={['TelevisionName', 'ProjectId', 'Playlist', 'LastSeenTime', 'Address', 'Browser', 'UserId']}
        cells={{ Playlist: (row) => t('television.entries', { count: ((row.Playlist ?? []) as unknown[]).length }) }}
        form={{ inputs: { Playlist: PlaylistInput } }}
        emptyText={t('empty.television', { address: televisionAddress() })}
      />
      {isPairing && <PairDialog close={() => setPairing(false)} />}
    </Page>
  )
}
export default TelevisionsScreen
