import { describe, expect, it } from '@jest/globals';
import { createSwapRemoveList, type SwapRemoveItem } from '../../../../gateway/platform/swap-remove-list.ts';

interface Guest extends SwapRemoveItem {
  readonly name: string;
}

function guest(name: string): Guest {
  return { name, index: undefined };
}

function namesOf(members: ReturnType<typeof createSwapRemoveList<Guest>>): readonly string[] {
  return Array.from({ length: members.size }, (_none, position) => members.at(position)?.name ?? 'nobody').sort();
}

describe('createSwapRemoveList', () => {
  it('returns false when removing a member that was never added or is already removed', () => {
    const members = createSwapRemoveList<Guest>();
    const [stranger, leaver] = [guest('stranger'), guest('leaver')];
    members.add(leaver);

    expect(members.remove(stranger)).toBe(false);
    expect(members.remove(leaver)).toBe(true);
    expect(members.remove(leaver)).toBe(false);
    expect(members.size).toBe(0);
    expect(members.at(0)).toBeUndefined();
  });

  it('contains all other members after members were removed in any order', () => {
    const members = createSwapRemoveList<Guest>();
    const [first, second, third, fourth] = [guest('1'), guest('2'), guest('3'), guest('4')];
    for (const one of [first, second, third, fourth]) members.add(one);

    members.remove(first);
    expect(namesOf(members)).toEqual(['2', '3', '4']);
    members.remove(fourth);
    expect(namesOf(members)).toEqual(['2', '3']);
    members.add(first);
    members.remove(second);
    expect(namesOf(members)).toEqual(['1', '3']);
  });
});
