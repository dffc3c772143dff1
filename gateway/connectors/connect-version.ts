/** Version of the connect specification that a subgraph links. */
export type ConnectVersion = '0.1' | '0.2' | '0.3' | '0.4';
