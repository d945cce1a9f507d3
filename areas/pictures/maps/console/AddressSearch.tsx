import { Input } from 'antd'
import { useState } from 'react'
import { useCommand } from '../../../../console/kernel/api.ts'
import { useWords } from '../../../../console/words/words.ts'
import { mapCalls } from '../contract.ts'

type Props = { begin: string; found: (at: { longitude: number; latitude: number }) => void }
/** Finds the position of an address, or shows why that is not possible. */
export const AddressSearch = ({ begin, found }: Props) => {
  const t = useWords()
  const [address, setAddress] = useState(begin)
  const find = useCommand(mapCalls.find, [], { meta: { quiet: true } })
  const ask = (text: string) =>
    text.trim() &&
    find.mutate(
      { body: { Address: text.trim() } },
      {
        onSuccess: ({ Longitude, Latitude }) => {
          if (Longitude !== null && Latitude !== null) found({ longitude: Longitude, latitude: Latitude })
        },
      },
    )
  const problem = find.error?.message ?? (find.data?.Problem && t(`map.find.${find.data.Problem}`))
  return (
    <div className="map-address">
      <Input.Search
        aria-label={t('map.address')}
        placeholder={t('map.address')}
        maxLength={100}
        value={address}
        enterButton={t('map.findAddress')}
        loading={find.isPending}
        onChange={({ target }) => setAddress(target.value)}
        onPressEnter={(event) => event.preventDefault()}
        onSearch={ask}
      />
      <p role="status">{!find.isPending && problem}</p>
    </div>
  )
}
